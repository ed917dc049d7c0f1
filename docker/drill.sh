#!/usr/bin/env bash
# Walks through a drill: makes an upstream sick, in one way after the other, and says what to look at.
#
#   docker/drill.sh            against docker/compose.yaml
#   docker/drill.sh --local    without Docker: starts toxiproxy-server, an upstream and the packaged proxy on free ports
#   docker/drill.sh sick       leaves the upstream sick, so that alerts fire; docker/drill.sh heal ends it
#
# Ends with 1 where something was not as it had to be. Needs curl, and python3 for --local.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
toxiproxy=http://127.0.0.1:8474
proxy=http://127.0.0.1:8480
admin=http://127.0.0.1:9480
prometheus="http://127.0.0.1:9090/alerts"

say() {
    printf '\n== %s\n' "$*"
}

look() {
    printf '   look at: %s\n' "$*"
}

fail() {
    printf '\n%s: %s\n' "$0" "$*" >&2
    exit 1
}

# curl without the proxies of this machine's environment.
ask() {
    curl -sS --noproxy '*' --max-time 20 "$@"
}

toxic() {
    ask -o /dev/null --fail -X POST "$toxiproxy/proxies/pay/toxics" -d "$1"
}

heal() {
    ask -o /dev/null --fail -X POST "$toxiproxy/reset"
}

# call: one call through the proxy; prints status, reason, outcome and time.
call() {
    ask -o "$answers/$1" -w '%{http_code} %{time_total}' "$proxy/pay/" >"$answers/$1.status" || true
    local status seconds
    read -r status seconds <"$answers/$1.status" || true
    printf '%s %s %s %s\n' "$status" "$(field "$1" reason)" "$(field "$1" outcome)" "${seconds}s"
}

field() {
    sed -n "s/.*\"$2\": *\"\([^\"]*\)\".*/\1/p" "$answers/$1" | head -n 1 | grep . || printf -- '-'
}

# calls N WORDS: N calls one after the other, printed; one of them has to contain the words.
calls() {
    local number found=no line
    for number in $(seq "$1"); do
        line=$(call "$number")
        printf '   %s\n' "$line"
        case $line in *"$2"*) found=yes ;; esac
    done
    [ "$found" = yes ] || fail "none of them was: $2"
}

# counted PATTERN: the series of the proxy that match and are not 0.
counted() {
    ask "$admin/metrics" | grep -E "^resilience_proxy_$1" | grep -v ' 0\(\.0\)\?$' | sed 's/^/   /' \
        || fail "no series matches $1"
}

await() {
    local what=$1 attempt
    shift
    for attempt in $(seq 100); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.2
    done
    fail "$what after $attempt tries"
}

started=()
answers=$(mktemp -d)
stop() {
    local process
    for process in "${started[@]}"; do
        kill "$process" 2>/dev/null || true
    done
    rm -rf "$answers"
}
trap stop EXIT

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start_local() {
    command -v toxiproxy-server >/dev/null || fail "toxiproxy-server is not on the path"
    local launcher=$here/../proxy-server/target/resilience-proxy upstream link listen control
    [ -x "$launcher" ] || fail "$launcher is not there; mvn package makes it"
    upstream=$(free_port) link=$(free_port) listen=$(free_port) control=$(free_port)
    toxiproxy=http://127.0.0.1:$(free_port)
    proxy=http://127.0.0.1:$listen
    admin=http://127.0.0.1:$control
    prometheus="the alerts of your Prometheus"
    mkdir "$answers/root"
    echo '{"paid": true}' >"$answers/root/index.html"
    python3 -m http.server --bind 127.0.0.1 --directory "$answers/root" "$upstream" >"$answers/upstream.log" 2>&1 &
    started+=($!)
    toxiproxy-server -host 127.0.0.1 -port "${toxiproxy##*:}" >"$answers/toxiproxy.log" 2>&1 &
    started+=($!)
    LISTEN_HOST=127.0.0.1 LISTEN_PORT=$listen ADMIN_PORT=$control PAY_HOST=127.0.0.1 PAY_PORT=$link \
        "$launcher" run --config "$here/laptop/policy.yaml" >"$answers/proxy.log" 2>&1 &
    started+=($!)
    await "no Toxiproxy" ask --fail "$toxiproxy/version"
    ask -o /dev/null --fail -X POST "$toxiproxy/proxies" \
        -d "{\"name\": \"pay\", \"listen\": \"127.0.0.1:$link\", \"upstream\": \"127.0.0.1:$upstream\"}"
    await "no upstream" ask --fail "http://127.0.0.1:$upstream/"
}

walk() {
    say "Ready?"
    await "the proxy is not ready" ask --fail "$admin/readyz"
    heal

    say "1. Everything is well"
    await "the breaker is not closed" is_well
    calls 3 "200 "
    look "200, and where the time goes: resilience_proxy_request_duration_seconds"

    say "2. The upstream answers after 3 s"
    toxic '{"name": "slow", "type": "latency", "attributes": {"latency": 3000}}'
    calls 8 "503 circuit-open not-sent"
    counted 'breaker_state.*open'
    look "first 504 read-timeout, unknown: sent, and nobody knows. Then 503 circuit-open, not-sent, in a millisecond"
    look "the log: one WARN for the breaker. Left like this for minutes, ResilienceProxyBreakerOpen fires: $prometheus"

    say "3. It is well again"
    heal
    await "the breaker does not close" is_well
    counted 'breaker_transitions_total'
    look "nobody had to do anything: after 5 s the breaker let probes through"

    say "4. Nothing listens any more"
    ask -o /dev/null --fail -X POST "$toxiproxy/proxies/pay" -d '{"enabled": false}'
    calls 1 "502 connection-refused not-sent"
    counted 'retries_total'
    look "502 connection-refused, not-sent: it was tried twice, and may be repeated, a payment too"
    heal
    await "the breaker does not close" is_well

    say "5. More at once than the bulkhead takes"
    toxic '{"name": "slowish", "type": "latency", "attributes": {"latency": 700}}'
    local number
    local callers=()
    for number in $(seq 12); do
        call "$number" >"$answers/line$number" &
        callers+=($!)
    done
    wait "${callers[@]}"
    sort "$answers"/line* | sed 's/^/   /'
    grep -q 'bulkhead-full not-sent' "$answers"/line* || fail "none of them was bulkhead-full"
    counted 'bulkhead_rejections_total'
    look "four go on; two others wait for 50 ms, and the rest is refused at once: the application keeps its threads"
    heal
    say "That was the drill."
}

# A call succeeds, and the breaker is closed: probes that succeed close it.
is_well() {
    [ "$(ask -o /dev/null -w '%{http_code}' "$proxy/pay/")" = 200 ] \
        && ask "$admin/metrics" | grep -q '^resilience_proxy_breaker_state{.*state="closed".*} 1'
}

case ${1:-} in
    "") walk ;;
    --local)
        start_local
        walk
        ;;
    sick)
        heal
        toxic '{"name": "slow", "type": "latency", "attributes": {"latency": 3000}}'
        look "$prometheus, in three minutes"
        ;;
    heal) heal ;;
    *) fail "usage: docker/drill.sh [--local | sick | heal]" ;;
esac
