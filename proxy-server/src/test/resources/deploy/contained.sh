# Runs a program as a container runtime would: sh contained.sh ROOT PROGRAM ARGUMENT...
# ROOT is its root file system, read-only; it runs as 65532. Called inside of a mount namespace of its own.
set -e
root=$1
shift
mount --bind "$root" "$root"
mount -o remount,ro,bind "$root"
mount -t proc proc "$root/proc"
exec chroot --userspec=65532:65532 "$root" "$@"
