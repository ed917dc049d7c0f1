"""From the rounds to tables. Each figure is the median of its rounds; ratios are made within a round and then reduced."""

import json
import os
import statistics

BUSY = 0.7


def dig(value, path):
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def median(rounds, figure):
    """Of what `figure`, a path or a function of a round, gives; None where no round has it."""
    found = [figure(r) if callable(figure) else dig(r, figure) for r in rounds]
    found = [value for value in found if value is not None]
    return statistics.median(found) if found else None


def added(scenario, quantile):
    def figure(round_):
        through, direct = dig(round_, f"{scenario}.open.{quantile}"), dig(round_, f"{scenario}.direct.{quantile}")
        return None if through is None or direct is None else through - direct

    return figure


def quotient(above, below, percent=False):
    def figure(round_):
        a, b = dig(round_, above), dig(round_, below)
        if a is None or not b:
            return None
        return (a / b - 1) * 100 if percent else a / b

    return figure


def share_ok(path):
    def figure(round_):
        done = dig(round_, path + ".completed")
        return None if not done else 100 * dig(round_, path + ".ok") / done

    return figure


def busy(path):
    def figure(round_):
        share = dig(round_, path + ".loadCoreBusy")
        return None if share is None else 100 * share

    return figure


RELAY = [
    ("requests/s", "{0}.closed.perSecond", "{:,.0f}"),
    ("CPU us/request", "{0}.closed.cpuMicros", "{:.1f}"),
    ("added p50 us", ("p50",), "{:,.0f}"),
    ("added p99 us", ("p99",), "{:,.0f}"),
    ("added p99.9 us", ("p999",), "{:,.0f}"),
    ("direct p99 us", "{0}.direct.p99", "{:,.0f}"),
    ("direct p99.9 us", "{0}.direct.p999", "{:,.0f}"),
    ("load core %", ("busy",), "{:.0f}"),
    ("ok %", None, "{:.1f}"),
]


def relay_columns(scenario):
    for title, figure, form in RELAY:
        if figure is None:
            yield title, share_ok(scenario + ".closed"), form
        elif figure == ("busy",):
            yield title, busy(scenario + ".open"), form
        elif isinstance(figure, tuple):
            yield title, added(scenario, figure[0]), form
        else:
            yield title, figure.format(scenario), form


TABLES = [
    ("small", "Small bodies: 133 bytes, 64 keep-alive connections; latency added over direct at half of saturation",
     list(relay_columns("small"))),
    ("64k", "64 KiB bodies, 64 keep-alive connections; latency added over direct at half of saturation",
     list(relay_columns("64k"))),
    ("footprint", "Footprint", [
        ("ready ms", "readyMillis", "{:,.0f}"),
        ("RSS idle MiB", "rssIdleMiB", "{:.0f}"),
        ("RSS under load MiB", "small.closed.rssMiB", "{:.0f}"),
        ("RSS under 64 KiB load MiB", "64k.closed.rssMiB", "{:.0f}"),
    ]),
    ("hundred", "One of 100 upstreams, then all of them in turn", [
        ("CPU us/request, one", "hundred.one.cpuMicros", "{:.1f}"),
        ("CPU us/request, all", "hundred.all.cpuMicros", "{:.1f}"),
        ("change %", quotient("hundred.all.cpuMicros", "hundred.one.cpuMicros", percent=True), "{:+.1f}"),
        ("RSS MiB", "hundred.all.rssMiB", "{:.0f}"),
        ("ok %", share_ok("hundred.all"), "{:.1f}"),
    ]),
    ("tls", "Over TLS to the upstream: 133 bytes, then 64 KiB, 64 keep-alive connections", [
        ("requests/s", "tls.small.perSecond", "{:,.0f}"),
        ("CPU us/request", "tls.small.cpuMicros", "{:.1f}"),
        ("64 KiB: requests/s", "tls.64k.perSecond", "{:,.0f}"),
        ("64 KiB: CPU us/request", "tls.64k.cpuMicros", "{:.1f}"),
        ("ready ms", "tls.readyMillis", "{:,.0f}"),
        ("RSS MiB", "tls.64k.rssMiB", "{:.0f}"),
        ("ok %", share_ok("tls.small"), "{:.1f}"),
    ]),
    ("failing", "Half of the upstream's answers are 503", [
        ("calls/s", "failing.perSecond", "{:,.0f}"),
        ("CPU us/call", "failing.cpuMicros", "{:.1f}"),
        ("upstream requests per call", "failing.upstreamPerCall", "{:.2f}"),
        ("ok %", share_ok("failing"), "{:.1f}"),
    ]),
    ("isolation", "A healthy upstream alone, and beside one that answers after 3 s (50 calls/s)", [
        ("p99 us alone", "isolation.alone.p99", "{:,.0f}"),
        ("p99 us beside", "isolation.beside.p99", "{:,.0f}"),
        ("change %", quotient("isolation.beside.p99", "isolation.alone.p99", percent=True), "{:+.0f}"),
        ("p50 us alone", "isolation.alone.p50", "{:,.0f}"),
        ("p50 us beside", "isolation.beside.p50", "{:,.0f}"),
        ("load core %", busy("isolation.beside"), "{:.0f}"),
        ("p99 us beside, first time", "isolation.first.p99", "{:,.0f}"),
        ("sick: p50 us", "isolation.sick.p50", "{:,.0f}"),
        ("sick: answered", "isolation.sick.completed", "{:,.0f}"),
        ("healthy: ok %", share_ok("isolation.beside"), "{:.1f}"),
    ]),
]


def summary(results):
    """Peer -> table -> column -> median, with CPU relative to HAProxy's within the same round."""
    by_peer = {}
    for entry in results:
        by_peer.setdefault(entry["peer"], []).append(entry)
    told = {
        peer: {key: {title: median(rounds, figure) for title, figure, _ in columns} for key, _, columns in TABLES}
        for peer, rounds in by_peer.items()
    }
    for key, reference in (("x HAProxy", "HAProxy"), ("x Envoy", "Envoy"), ("x Gateway", "Spring Cloud Gateway")):
        for peer, rounds in by_peer.items():
            told[peer].setdefault("ratios", {})[key] = relative(rounds, by_peer.get(reference, []), "small.closed")
    for peer, rounds in by_peer.items():
        told[peer]["ratios"]["x HAProxy, TLS"] = relative(rounds, by_peer.get("HAProxy", []), "tls.small")
        told[peer]["ratios"]["x HAProxy, TLS, 64 KiB"] = relative(rounds, by_peer.get("HAProxy", []), "tls.64k")
    return told


def relative(rounds, reference, scenario):
    path = scenario + ".cpuMicros"
    at = {entry["round"]: dig(entry, path) for entry in reference}
    found = [dig(entry, path) / at[entry["round"]]
             for entry in rounds if dig(entry, path) and at.get(entry["round"])]
    return statistics.median(found) if found else None


def markdown(head, results, missing):
    told = summary(results)
    rounds = max((entry["round"] for entry in results), default=0)
    lines = [f"Measured {head['date']} on {head['cpu']}, {head['cores']} cores, Linux {head['kernel']}; "
             f"{rounds} of {head['rounds']} rounds of {head['seconds']:g} s, interleaved, medians.", "", head["placement"], ""]
    lines += [f"- {line}" for line in head["warnings"] + missing + strained(results)]
    for key, title, columns in TABLES:
        rows = [(peer, tables[key]) for peer, tables in told.items()
                if any(value is not None for value in tables[key].values())]
        if rows:
            lines += ["", f"### {title}", ""] + table([c[0] for c in columns], [c[2] for c in columns], rows)
    rows = [(peer, tables["ratios"]) for peer, tables in told.items()
            if any(value is not None for value in tables["ratios"].values())]
    if rows:
        titles = list(rows[0][1])
        lines += ["", "### CPU per request, small bodies unless it says more, as a multiple within the same round", ""]
        lines += table(titles, ["{:.2f}"] * len(titles), rows)
    return "\n".join(lines) + "\n"


def strained(results):
    """A line for each latency that was taken while the core of generator and upstream had little to spare."""
    lines = []
    for entry in results:
        for path in ("small.open", "64k.open", "isolation.alone", "isolation.beside"):
            share = dig(entry, path + ".loadCoreBusy")
            if share is not None and share > BUSY:
                lines.append(f"{entry['peer']}, round {entry['round']}, {path}: generator and upstream kept their core busy"
                             f" for {100 * share:.0f} % of the time, so part of this latency is theirs")
    return lines


def table(titles, forms, rows):
    lines = ["| peer | " + " | ".join(titles) + " |", "|---|" + "---:|" * len(titles)]
    for peer, values in rows:
        cells = ["" if values[t] is None else form.format(values[t]) for t, form in zip(titles, forms)]
        lines.append(f"| {peer} | " + " | ".join(cells) + " |")
    return lines


def save(directory, name, head, results, missing):
    """NAME.md and NAME.json; the JSON has every round whole, so that other questions can be asked of it."""
    os.makedirs(directory, exist_ok=True)
    text = markdown(head, results, missing)
    with open(os.path.join(directory, name + ".md"), "w") as file:
        file.write(text)
    with open(os.path.join(directory, name + ".json"), "w") as file:
        json.dump({"run": head, "missing": missing, "strained": strained(results), "medians": summary(results), "rounds": results}, file, indent=1)
        file.write("\n")
    return text
