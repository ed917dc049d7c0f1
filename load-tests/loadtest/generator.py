"""The load generator: one process for a whole run, so that its code is compiled before the first figure is taken."""

import json
import os
import select
import statistics

from . import build, machine, peers

SLOW_SECONDS = 3
# The young generation holds what a job allocates, so that no collection falls into one.
FLAGS = ["-XX:+UseSerialGC", "-Xms512m", "-Xmx512m", "-Xmn448m", "-XX:+AlwaysPreTouch", "-XX:-UsePerfData"]
STEADY = 0.03
WARM_UP_WINDOWS = 20
SUMS = ("seconds", "completed", "everCompleted", "ok", "clientErrors", "serverErrors", "broken", "unfinished")


class Generator:
    """Runs load from its core, and tells what it came to. It is the slow upstream as well, at `slow_port`."""

    def __init__(self, core, nice, directory, slow_port):
        command = [peers.java(), *FLAGS, "-cp", build.LOAD_JAR, "io.resilienceproxy.load.Generator",
                   str(slow_port), str(SLOW_SECONDS)]
        self.slow_port = slow_port
        self.running = machine.Running(command, core, os.path.join(directory, "generator.log"), nice, talks=True)

    def run(self, port, seconds, *streams, warmup=1.0, measured=None):
        """One dict per stream; with `measured`, a process, also its CPU per request and its highest RSS."""
        before = measured.cpu_seconds() if measured else 0
        result, peak = self.ask(f"{port} {warmup} {seconds} " + " ".join(streams), measured)
        if measured:
            done = sum(stream["everCompleted"] for stream in result)
            result[0]["cpuMicros"] = (measured.cpu_seconds() - before) * 1e6 / max(1, done)
            result[0]["rssMiB"] = peak
        return result

    def ask(self, job, measured):
        process = self.running.process
        process.stdin.write((job + "\n").encode())
        process.stdin.flush()
        peak = 0.0
        while measured and not select.select([process.stdout], [], [], 0.1)[0]:
            peak = max(peak, measured.rss_mib())
        answer = process.stdout.readline().decode()
        result = json.loads(answer) if answer.startswith(("[", "{")) else {"error": self.running.log()}
        if isinstance(result, dict):
            raise RuntimeError("the generator failed: " + result["error"])
        return result, peak

    def warm_up(self, port):
        """Until its speed no longer grows, with all that it will do: open and closed loop, large bodies, a slow upstream."""
        paths = "/small,/small,/64k,/half"
        self.run(port, 1, closed("warm", paths), open_loop("open", 500, paths), warmup=1)
        self.run(self.slow_port, 1, open_loop("slow", 50, "/x", 20), open_loop("more", 50, "/x", 20), warmup=SLOW_SECONDS)
        speeds = []
        for _ in range(WARM_UP_WINDOWS):
            self.run(port, 1, open_loop("open", 10000, "/small"), warmup=0.5)
            speeds.append(self.run(port, 1, closed("closed", "/small"), warmup=0.5)[0]["perSecond"])
            last = speeds[-3:]
            if len(speeds) > 4 and max(last) < (1 + STEADY) * min(last):
                break
        return speeds

    def stop(self):
        self.running.stop()


def closed(name, paths, connections=64):
    return f"{name};{connections};0;{paths}"


def open_loop(name, rate, paths, connections=64, port=None):
    """`port` where the stream goes elsewhere than its job."""
    return f"{name};{connections};{rate:.1f};{paths}" + (f";{port}" if port else "")


def reduced(slices):
    """One dict like those of the slices: counts are sums, what is measured is the median, `max` the largest."""
    result = dict(slices[0])
    for key, value in slices[0].items():
        values = [one[key] for one in slices]
        if key in SUMS:
            result[key] = sum(values)
        elif key == "max":
            result[key] = max(values)
        elif isinstance(value, (int, float)):
            result[key] = statistics.median(values)
    result["slices"] = [{key: one[key] for key in ("p50", "p99", "p999", "max", "loadCoreBusy")} for one in slices]
    return result
