#!/usr/bin/env bash
# Builds the root file system of the image: docker/rootfs.sh JAR ROOT
#
# ROOT then holds /opt/resilience-proxy (see runtime.sh), the libraries of the C runtime that it is linked to, and the few
# files that the C runtime reads. No shell, no package manager, no user that could log in. Everything belongs to root, and the
# proxy runs as 65532, so it cannot write anywhere even where the file system is writable.
#
# Needs what runtime.sh needs, and ldd.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -eq 2 ] || {
    echo "$0: usage: JAR ROOT" >&2
    exit 1
}
home=/opt/resilience-proxy

mkdir -p "$2/etc/resilience-proxy" "$2/opt" "$2/proc" "$2/tmp"
chmod 1777 "$2/tmp"
root=$(cd "$2" && pwd)
"$here/runtime.sh" "$1" "$root$home" "$home"

# Where a library is found is part of how it is linked: links are followed and the names kept.
find "$root$home" \( -name '*.so' -o -path '*/bin/*' \) -type f -exec ldd {} + \
    | sed -n 's|.*[ \t]\(/[^ ]*\) (0x.*|\1|p' | grep -v "^$root" | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
done

echo 'proxy:x:65532:65532::/nonexistent:/nonexistent' >"$root/etc/passwd"
echo 'proxy:x:65532:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
