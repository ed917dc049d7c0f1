#!/usr/bin/env bash
# Builds the runtime tree of the proxy: docker/runtime.sh JAR TREE [HOME]
#
#   JAR   resilience-proxy.jar, made by mvn package
#   TREE  the directory to build; it must not exist
#   HOME  where the tree will stand when it runs, TREE itself by default
#
# TREE then holds java/ (a runtime of the modules in modules.txt), the jar, lib/ (native parts), jvm.options and
# resilience-proxy.aot (classes loaded and linked ahead of time). It runs as any user, from a read-only file system:
#
#   TREE/java/bin/java @TREE/jvm.options -jar TREE/resilience-proxy.jar run --config policy.yaml
#
# Needs bash, and a JDK 25 in JAVA_HOME. The image is built by the same script; it needs no Docker.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
    printf '%s: %s\n' "$0" "$*" >&2
    exit 1
}

[ $# -eq 2 ] || [ $# -eq 3 ] || fail "usage: JAR TREE [HOME]"
[ -f "$1" ] || fail "there is no jar $1; mvn package makes it"
[ ! -e "$2" ] || fail "$2 is there already"
[ -x "${JAVA_HOME:-}/bin/jlink" ] || fail "JAVA_HOME must name a JDK 25"
version=$("$JAVA_HOME/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
[ "$version" = 25 ] || fail "JAVA_HOME is a JDK $version, and must be a JDK 25"

jar=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
tree=$(cd "$2" && pwd)
home=${3:-$tree}

# marked SIGN: the modules of the list with that sign.
marked() {
    sed -n "s/^$1 \([a-z.]*\).*/\1/p" "$here/modules.txt" | sort
}

found=$("$JAVA_HOME/bin/jdeps" --multi-release 25 --ignore-missing-deps -s "$jar" \
    | sed -n 's/^.* -> \([a-z][a-z.]*\)$/\1/p' | sort -u)
unlisted=$(comm -23 <(printf '%s\n' "$found") <({ marked + && marked -; } | sort))
[ -z "$unlisted" ] || fail "the jar needs modules that modules.txt does not decide about: $unlisted"

"$JAVA_HOME/bin/jlink" --add-modules "$(marked + | paste -sd,)" --strip-debug --no-header-files --no-man-pages \
    --output "$tree/java"

cp "$jar" "$tree/resilience-proxy.jar"

mkdir "$tree/lib"
(
    cd "$tree/lib"
    "$JAVA_HOME/bin/jar" xf "$jar" META-INF/native
    find META-INF/native -name "*_$(uname -m | sed s/aarch64/aarch_64/).so" -exec mv {} . \;
    rm -r META-INF
)
[ -n "$(ls "$tree/lib")" ] || fail "the jar has no native parts for $(uname -m)"

cat "$here/../proxy-server/src/main/launcher/jvm.options" "$here/jvm.options" \
    | sed "/^-Xshare:/d; s|@HOME@|$home|" >"$tree/jvm.options"

"$here/train.sh" "$tree"
chmod -R a+rX,go-w "$tree"
