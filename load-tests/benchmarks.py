#!/usr/bin/env python3
"""Runs the JMH benchmarks and holds them against the recorded baseline, load-tests/baseline.json.

    load-tests/benchmarks.py                    # all; prints nanoseconds and bytes per operation, before and now
    load-tests/benchmarks.py Exchange           # those whose name has it
    load-tests/benchmarks.py --quick            # do they still run?
    load-tests/benchmarks.py --record           # writes the baseline anew: with a change that is meant to change it

Bytes per operation are the same on every machine of one JDK; nanoseconds compare on one quiet machine only. More than 10 % and
16 bytes above the baseline ends with 1.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from loadtest import build, machine, peers  # noqa: E402

BASELINE = os.path.join(build.HERE, "baseline.json")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pattern", nargs="?", default=".*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--nice", type=int, default=0, help="niceness; negative needs root")
    parser.add_argument("--no-build", action="store_true")
    return parser.parse_args()


def measure(options, directory):
    file = os.path.join(directory, "jmh.json")
    times = ["-wi", "1", "-w", "200ms", "-i", "1", "-r", "200ms"] if options.quick else \
        ["-wi", "5", "-w", "1", "-i", "5", "-r", "1"]
    command = [peers.java(), "-jar", build.LOAD_JAR, options.pattern, "-f", "1", *times, "-prof", "gc", "-rf", "json",
               "-rff", file, "-jvmArgs",
               "-XX:+UseSerialGC -Xmx256m -Djmh.executor=CUSTOM -Djmh.executor.class=io.resilienceproxy.bench.LoopThreads"]
    running = machine.Running(command, machine.cores()[0], os.path.join(directory, "jmh.out"), options.nice)
    if running.process.wait() != 0 or not os.path.exists(file):
        raise SystemExit("JMH failed: " + running.log())
    with open(file) as text:
        return {name(entry): figures(entry) for entry in json.load(text)}


def name(entry):
    short = entry["benchmark"].rpartition("bench.")[2]
    return short + "".join(f" {key}={value}" for key, value in sorted(entry.get("params", {}).items()))


def figures(entry):
    # Contention only ever adds time: the fastest iteration is nearest to what the code costs.
    fastest = min(entry["primaryMetric"]["rawData"][0])
    allocated = entry["secondaryMetrics"]["gc.alloc.rate.norm"]["score"]
    return {"nanos": round(fastest, 1), "bytes": round(allocated, 1)}


def main():
    options = parse()
    if not options.no_build:
        build.everything([])
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as directory, machine.preferred_session(options.nice):
        now = measure(options, directory)
    before = {}
    if os.path.exists(BASELINE):
        with open(BASELINE) as file:
            before = json.load(file)["benchmarks"]
    print(f"{'benchmark':58} {'ns before':>10} {'ns now':>10} {'B before':>10} {'B now':>10}")
    worse = []
    for key, value in now.items():
        old = before.get(key, {"nanos": "", "bytes": ""})
        print(f"{key:58} {old['nanos']:>10} {value['nanos']:>10} {old['bytes']:>10} {value['bytes']:>10}")
        if key in before and value["bytes"] > old["bytes"] * 1.1 + 16:
            worse.append(key)
    if options.record:
        with open(BASELINE, "w") as file:
            json.dump({"machine": machine.describe(), "benchmarks": {**before, **now}}, file, indent=1)
            file.write("\n")
        return 0
    if worse:
        print("allocates more than the baseline:", ", ".join(worse))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
