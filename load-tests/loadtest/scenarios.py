"""One round of one peer: started, warmed up, measured under each scenario, stopped."""

import os
import time

from . import machine
from .generator import SLOW_SECONDS, closed, open_loop, reduced

# Latency is measured in slices, with and without what is to be seen in turn, so that a drift of the machine cancels out.
SLICES = 3
SLICE_WARM_UP = 0.5
SICK_PER_SECOND = 50
SICK_CONNECTIONS = 200

ALL = ["small", "64k", "failing", "isolation", "hundred", "tls"]


class Round:
    """Measurements of one peer; `direct` stands for no proxy at all."""

    def __init__(self, peer, options, upstreams, generator, awake, directory):
        self.peer = peer
        self.options = options
        self.upstreams = upstreams
        self.generator = generator
        self.awake = awake
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
        with self.awake:
            return {"closed": top, **self.latency(port, rate, path)}

    def latency(self, port, rate, path):
        """At a constant rate through the peer, and directly before and after."""
        def slice_of(to, name, where):
            return self.generator.run(to, self.slice_seconds(), open_loop(name, rate, where), warmup=SLICE_WARM_UP)[0]

        direct, through = [slice_of(self.upstreams.port, "direct", path)], []
        for _ in range(SLICES):
            through.append(slice_of(port, "open", "/one" + path))
            direct.append(slice_of(self.upstreams.port, "direct", path))
        return {"open": reduced(through), "direct": reduced(direct)}

    def slice_seconds(self):
        return max(1.0, self.options.seconds / SLICES)

    def failing(self, running, port):
        before = self.upstreams.requests()
        result = self.generator.run(port, self.options.seconds, closed("closed", "/failing/half"), measured=running)[0]
        result["upstreamPerCall"] = (self.upstreams.requests() - before - 1) / max(1, result["everCompleted"])
        return result

    def isolation(self, running, port):
        """At a quarter of what it can do, so that what is seen is the neighbour and not the load."""
        known = self.result.get("small")
        top = known["closed"] if known else self.generator.run(port, self.options.seconds, closed("closed", "/one/small"))[0]
        fast = open_loop("fast", top["perSecond"] / 4, "/one/small")
        sick = open_loop("sick", SICK_PER_SECOND, "/slow/x", SICK_CONNECTIONS)
        with self.awake:
            return isolation(self.generator, port, self.slice_seconds(), fast, sick)

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


def isolation(generator, port, seconds, fast, sick):
    """The fast stream alone and beside the sick one, in turn."""
    # What a peer runs for the first time when a neighbour falls sick, a virtual machine has yet to load and compile.
    first = generator.run(port, seconds * SLICES, fast, sick)[0]
    alone, beside, ill = [], [], []
    for _ in range(SLICES):
        # Long enough for calls of the slice before to end, or for the sick ones to pile up.
        alone.append(generator.run(port, seconds, fast, warmup=SLOW_SECONDS)[0])
        healthy, unwell = generator.run(port, seconds, fast, sick, warmup=SLOW_SECONDS + 1)
        beside.append(healthy)
        ill.append(unwell)
    alone.append(generator.run(port, seconds, fast, warmup=SLOW_SECONDS)[0])
    return {"first": first, "alone": reduced(alone), "beside": reduced(beside), "sick": reduced(ill)}


def direct(options, upstreams, generator):
    """Without a proxy: what the other core can do at most, and what generator and upstreams do to each other."""
    result = {"peer": "direct"}
    for name in ("small", "64k"):
        if name in options.scenarios:
            top = generator.run(upstreams.port, options.seconds, closed("closed", "/" + name))[0]
            result[name] = {"closed": top}
    if "isolation" in options.scenarios:
        rate = result["small"]["closed"]["perSecond"] / 6 if "small" in result else 10000
        fast = open_loop("fast", rate, "/small")
        sick = open_loop("sick", SICK_PER_SECOND, "/x", SICK_CONNECTIONS, upstreams.slow_port)
        result["isolation"] = isolation(generator, upstreams.port, max(1.0, options.seconds / SLICES), fast, sick)
    return result
