"""One round of one peer: started, warmed up, measured under each scenario, stopped."""

import json
import os
import time

from . import build, machine, peers

CONNECTIONS = 64
SICK_PER_SECOND = 50
SICK_CONNECTIONS = 200

ALL = ["small", "64k", "failing", "isolation", "hundred", "tls"]


class Generator:
    """Runs load from the other core, and tells what it came to."""

    def __init__(self, core, nice, directory):
        self.core = core
        self.nice = nice
        self.directory = directory

    def run(self, port, seconds, *streams, warmup=1.0, measured=None):
        """One dict per stream; with `measured`, a process, also its CPU per request and its highest RSS."""
        command = [peers.java(), "-XX:+UseSerialGC", "-Xmx128m", "-cp", build.LOAD_JAR,
                   "io.resilienceproxy.load.Generator", str(port), str(warmup), str(seconds), *streams]
        log = os.path.join(self.directory, "generator.out")
        before = measured.cpu_seconds() if measured else 0
        running = machine.Running(command, self.core, log, self.nice)
        peak = 0.0
        while running.alive():
            if measured:
                peak = max(peak, measured.rss_mib())
            time.sleep(0.1)
        with open(log) as file:
            text = file.read()
        if running.process.returncode != 0 or "[" not in text:
            raise RuntimeError("the generator failed: " + text[-2000:])
        # Complaints about responses may stand in front.
        result = json.loads(text[text.index("[{"):])
        if measured:
            done = sum(stream["everCompleted"] for stream in result)
            result[0]["cpuMicros"] = (measured.cpu_seconds() - before) * 1e6 / max(1, done)
            result[0]["rssMiB"] = peak
        return result


def closed(name, paths):
    return f"{name};{CONNECTIONS};0;{paths}"


def open_loop(name, rate, paths, connections=CONNECTIONS):
    return f"{name};{connections};{rate:.1f};{paths}"


class Round:
    """Measurements of one peer; `direct` stands for no proxy at all."""

    def __init__(self, peer, options, upstreams, generator, directory):
        self.peer = peer
        self.options = options
        self.upstreams = upstreams
        self.generator = generator
        self.directory = os.path.join(directory, "".join(c if c.isalnum() else "-" for c in peer.name))
        self.result = {"peer": peer.name}

    def run(self):
        core = machine.cores()[0]
        wanted = self.options.scenarios
        if set(wanted) - {"hundred", "tls"}:
            running, port = self.peer.start(self.directory, core, self.upstreams.few(), self.options.nice)
            try:
                self.start_up(running, port)
                self.few(running, port, wanted)
            finally:
                running.stop()
        if "hundred" in wanted:
            running, port = self.peer.start(self.directory, core, self.upstreams.hundred(), self.options.nice)
            try:
                machine.await_ready(running, port, "/u00/small")
                self.hundred(running, port)
            finally:
                running.stop()
        if "tls" in wanted and self.peer.tls and self.upstreams.tls():
            running, port = self.peer.start(self.directory, core, self.upstreams.tls(), self.options.nice)
            try:
                self.tls(running, port)
            finally:
                running.stop()
        return self.result

    def start_up(self, running, port):
        self.result["readyMillis"] = machine.await_ready(running, port, "/one/small")
        time.sleep(1)
        self.result["rssIdleMiB"] = running.rss_mib()
        self.warm_up(port, "/one/small,/one/small,/one/64k,/failing/half")

    def warm_up(self, port, of):
        """Few connections: what a virtual machine answers slowly before it is compiled must not open its breakers."""
        if self.peer.jvm:
            self.generator.run(port, 0.1, open_loop("warm", 100, of, 4), warmup=2)
            self.generator.run(port, 0.1, f"warm;8;0;{of}", warmup=self.options.warmup * self.peer.patience)

    def few(self, running, port, wanted):
        if "small" in wanted:
            self.result["small"] = self.throughput_and_latency(running, port, "/small")
        if "64k" in wanted:
            self.result["64k"] = self.throughput_and_latency(running, port, "/64k")
        if "isolation" in wanted:
            self.result["isolation"] = self.isolation(running, port)
        if "failing" in wanted:
            self.result["failing"] = self.failing(running, port)

    def throughput_and_latency(self, running, port, path):
        seconds = self.options.seconds
        top = self.generator.run(port, seconds, closed("closed", "/one" + path), measured=running)[0]
        rate = top["perSecond"] / 2
        through = self.generator.run(port, seconds, open_loop("open", rate, "/one" + path))[0]
        direct = self.generator.run(self.upstreams.port, seconds, open_loop("direct", rate, path))[0]
        return {"closed": top, "open": through, "direct": direct}

    def failing(self, running, port):
        before = self.upstreams.requests()
        result = self.generator.run(port, self.options.seconds, closed("closed", "/failing/half"), measured=running)[0]
        result["upstreamPerCall"] = (self.upstreams.requests() - before - 1) / max(1, result["everCompleted"])
        return result

    def isolation(self, running, port):
        """At a quarter of what it can do, so that what is seen is the neighbour and not the load."""
        seconds = self.options.seconds
        known = self.result.get("small")
        rate = known["closed"]["perSecond"] / 4 if known else 1000
        fast = open_loop("fast", rate, "/one/small")
        sick = open_loop("sick", SICK_PER_SECOND, "/slow/x", SICK_CONNECTIONS)
        # What a peer runs for the first time when a neighbour falls sick, a virtual machine has yet to load and compile.
        first = self.generator.run(port, seconds, fast, sick)[0]
        alone = self.generator.run(port, seconds, fast)[0]
        beside = self.generator.run(port, seconds, fast, sick)
        return {"first": first, "alone": alone, "beside": beside[0], "sick": beside[1]}

    def hundred(self, running, port):
        """The same process with traffic to one of its hundred upstreams, then to all of them."""
        self.warm_up(port, paths(100))
        seconds = self.options.seconds
        one = self.generator.run(port, seconds, closed("one", paths(1)), measured=running)[0]
        every = self.generator.run(port, seconds, closed("all", paths(100)), measured=running)[0]
        self.result["hundred"] = {"one": one, "all": every}


    def tls(self, running, port):
        """Callers speak plain HTTP as ever, the upstream is reached over TLS."""
        ready = machine.await_ready(running, port, "/one/small")
        self.warm_up(port, "/one/small,/one/small,/one/64k")
        seconds = self.options.seconds
        small = self.generator.run(port, seconds, closed("small", "/one/small"), measured=running)[0]
        large = self.generator.run(port, seconds, closed("64k", "/one/64k"), measured=running)[0]
        self.result["tls"] = {"readyMillis": ready, "small": small, "64k": large}


def paths(count):
    return ",".join(f"/u{i:02d}/small" for i in range(count))


def direct(options, upstreams, generator):
    """Without a proxy: what the other core can do at most."""
    result = {"peer": "direct"}
    for name in ("small", "64k"):
        if name in options.scenarios:
            top = generator.run(upstreams.port, options.seconds, closed("closed", "/" + name))[0]
            result[name] = {"closed": top}
    return result
