#!/usr/bin/env python3
"""Measures the proxy and its peers side by side: same machine, same upstream, same load, rounds interleaved.

    load-tests/run.py            # 5 rounds of 10 s per measurement; prints tables, writes them to load-tests/results/
    load-tests/run.py --quick    # 1 round of 3 s: does everything still run?
"""

import argparse
import os
import random
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from loadtest import build, generator, machine, peers, report, scenarios, upstreams  # noqa: E402

KEYS = {
    "proxy": "resilience-proxy", "envoy": "Envoy", "haproxy": "HAProxy", "nginx": "nginx",
    "vertx": "Vert.x http-proxy", "gateway": "Spring Cloud Gateway",
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="1 round of 3 s")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, help="of each measurement")
    parser.add_argument("--warmup", type=float, help="seconds of load on a peer that runs on a JVM before it is measured")
    parser.add_argument("--peers", default=",".join(KEYS), help="of " + ", ".join(KEYS))
    parser.add_argument("--scenarios", default=",".join(scenarios.ALL), help="of " + ", ".join(scenarios.ALL))
    parser.add_argument("--variants", action="store_true", help="the proxy under other policies instead of the peers")
    parser.add_argument("--nice", type=int, default=0, help="niceness of all that is measured; negative needs root")
    parser.add_argument("--name", default="latest", help="of the result files")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 5)
    options.seconds = options.seconds or (3.0 if options.quick else 10.0)
    options.warmup = options.warmup or (3.0 if options.quick else 10.0)
    options.peers = options.peers.split(",")
    options.scenarios = options.scenarios.split(",")
    for given, known in ((options.peers, KEYS), (options.scenarios, scenarios.ALL)):
        unknown = set(given) - set(known)
        if unknown:
            parser.error(f"{', '.join(unknown)} (expected: {', '.join(known)})")
    return options


def heading(options):
    proxy_core, load_core = machine.cores()
    head = machine.describe()
    head.update(rounds=options.rounds, seconds=options.seconds, warmup=options.warmup, nice=options.nice, warnings=[])
    head["placement"] = (f"All on loopback; each proxy on core {proxy_core} with one event loop or worker, load generator"
                         f" and upstream together on core {load_core}. Niceness of all of them: {options.nice}.")
    load = head["loadAverage"][0]
    if load > 0.5:
        head["warnings"].append(f"the load average was {load:.1f} before the start: other work shared the machine, so"
                                " compare figures of one run with each other and do not take them as absolute")
    if proxy_core == load_core:
        head["warnings"].append("there is one core only: proxy and load share it")
    return head


def measure(options, contestants, head, directory):
    proxy_core, core = machine.cores()
    slow_port = machine.free_port()
    origin = upstreams.Upstreams(directory, core, options.nice, slow_port)
    load = generator.Generator(core, options.nice, directory, slow_port)
    awake = machine.Awake(proxy_core, core, directory)
    results, missing = [], []
    try:
        head["generatorWarmUp"] = load.warm_up(origin.port)
        for number in range(1, options.rounds + 1):
            turn = list(contestants)
            random.shuffle(turn)
            results.append({"round": number, **scenarios.direct(options, origin, load)})
            for peer in turn:
                started = time.monotonic()
                try:
                    entry = scenarios.Round(peer, options, origin, load, awake, directory).run()
                except (RuntimeError, OSError, ValueError) as failure:
                    missing.append(f"{peer.name} failed in round {number}: {str(failure)[-400:]}")
                    continue
                results.append({"round": number, **entry})
                print(f"round {number}: {peer.name}: {time.monotonic() - started:.0f} s", flush=True)
                report.save(os.path.join(build.HERE, "results"), options.name, head, results, missing)
    finally:
        awake.stop()
        load.stop()
        origin.stop()
    return results, missing


def main():
    options = parse()
    if not options.no_build:
        build.everything(options.peers)
    if options.variants:
        contestants = [peers.proxy()] + peers.variants()
    else:
        wanted = {KEYS[key] for key in options.peers}
        contestants = [peer for peer in peers.everyone() if peer.name in wanted]
    head = heading(options)
    head["peers"] = {peer.name: peer.note for peer in contestants}
    for warning in head["warnings"]:
        print("WARNING:", warning, flush=True)
    absent = [peer.missing for peer in contestants if peer.missing]
    with tempfile.TemporaryDirectory(prefix="load-tests-") as directory, machine.preferred_session(options.nice):
        present = [peer for peer in contestants if not peer.missing]
        results, missing = measure(options, present, head, directory)
    print(report.save(os.path.join(build.HERE, "results"), options.name, head, results, absent + missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
