#!/usr/bin/env bash
# Makes TREE/resilience-proxy.aot: docker/train.sh TREE
#
# Runs the proxy of the tree for a few seconds in front of the demo's upstream, on free loopback ports, and lets the JVM
# write down which classes it loaded, linked and profiled (JEP 483, 514, 515). The cache holds for this jar and this runtime;
# with others, the JVM starts without it.
set -euo pipefail

tree=$(cd "$1" && pwd)
work=$(mktemp -d)
started=()
trap 'for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done; rm -rf "$work"' EXIT

options=$work/jvm.options
grep -v '^-XX:AOT' "$tree/jvm.options" | sed "s|^\(-Djava.library.path=\).*|\1$tree/lib|" >"$options"

fail() {
    printf '%s: %s\n' "$0" "$*" >&2
    cat "$work"/*.log >&2 || true
    exit 1
}

# start NAME ARGUMENT...: starts java in the background; what it prints goes to NAME.log. Its process is $process.
start() {
    local name=$1
    shift
    "$tree/java/bin/java" "@$options" "$@" >"$work/$name.log" 2>&1 &
    process=$!
    started+=("$process")
}

# port NAME KEY: the port that it logged as KEY=host:port, once it has.
port() {
    for _ in $(seq 300); do
        local found
        found=$(sed -n "s/.* $2=[^ ]*:\([0-9][0-9]*\) .*/\1/p" "$work/$1.log" | head -n 1)
        if [ -n "$found" ]; then
            printf '%s' "$found"
            return
        fi
        sleep 0.1
    done
    fail "$1 did not start"
}

# ask PORT METHOD TARGET: one request; prints the status. Bash alone, because the image's builder need not have curl.
ask() {
    local connection status
    exec {connection}<>"/dev/tcp/127.0.0.1/$1"
    printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" "$3" >&"$connection"
    IFS=' ' read -r _ status _ <&"$connection"
    cat <&"$connection" >/dev/null
    exec {connection}>&-
    printf '%s' "$status"
}

start demo -jar "$tree/resilience-proxy.jar" demo --port 0 --admin-port 0
demo=$process
upstream=$(port demo listen)
cat >"$work/policy.yaml" <<YAML
listen: {port: 0}
admin: {port: 0}
shutdown: {quiet-period: 100ms}
upstreams:
  up:
    url: http://127.0.0.1:$upstream/forward
    timeouts: {connect: 200ms, read: 500ms, call: 3s}
YAML
start proxy "-XX:AOTCacheOutput=$tree/resilience-proxy.aot" -jar "$tree/resilience-proxy.jar" run --config "$work/policy.yaml"
proxy=$process
listen=$(port proxy listen)
admin=$(port proxy admin)

[ "$(ask "$listen" GET /up/)" = 200 ] || fail "the proxy does not serve"
for round in $(seq 20); do
    ask "$listen" GET "/up/orders/$round"
    ask "$listen" POST "/up/orders/$round"
    ask "$listen" GET "/up/?fail-first=1&key=$round"
done >"$work/statuses"
for target in '/up/?status=503' '/up/?delay=600ms' '/up/?dead' /nowhere; do
    ask "$listen" GET "$target"
done >>"$work/statuses"
for page in /metrics /readyz /livez /policy /config; do
    ask "$admin" GET "$page"
done >>"$work/statuses"
# A reload, so that it is fast too.
echo '# read again' >>"$work/policy.yaml"
for _ in $(seq 50); do
    ! grep -q 'policy in use' "$work/proxy.log" || break
    sleep 0.1
done

kill "$proxy"
wait "$proxy" || fail "the training ended with $?"
kill "$demo"
wait "$demo" || fail "the demo ended with $?"
started=()
[ -s "$tree/resilience-proxy.aot" ] || fail "the JVM wrote no cache"
