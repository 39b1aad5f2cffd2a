#!/usr/bin/env bash
# Run the README's commands in a minimal Debian: only what the README asks for is installed there.
#
#   tools/fresh.sh [--keep FOLDER] [--bare] [SUITE...] [-- COMMAND...]  as root, from a checkout; the commit checked out is tried
#
# Without a suite: bookworm, then trixie. Without a command: make demo (a whole tournament), then make test.
# --keep leaves the roots in FOLDER and uses them again, to try one command after another.
# --bare leaves out git, make and Python, to try what needs none of them.
# Exits with the status of the first command that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=
needs=git,make,python3-venv,ca-certificates
suites=()
while [ $# -gt 0 ]; do
    case $1 in
    --keep) kept=$(realpath -m "$2"); mkdir -p "$kept"; shift 2 ;;
    --bare) needs=ca-certificates; shift ;;
    --) shift; break ;;
    -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) suites+=("$1"); shift ;;
    esac
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
command='make demo ARGS="--auto --speed 120" && make test'
[ $# -eq 0 ] || command=$(printf '%q ' "$@")

[ "$(id -u)" = 0 ] || { echo "A root of its own can only be made by root: sudo make fresh" >&2; exit 2; }
sh tools/system-packages.sh mmdebstrap:mmdebstrap unshare:util-linux
work=$(mktemp -d)
running=
# unshare forwards no signal: end it, and with it every process of the root.
trap '[ -z "$running" ] || kill -KILL "$running" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cache=${XDG_CACHE_HOME:-$HOME/.cache}

# apt as it is set up here: the mirror, the way to it, and what it may overlook.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT) $(LABEL)' 'Created-By: Packages' | awk '$2 == "main" && $3 == "Debian" { print $1; exit }')
apt-config dump | grep -E '^Acquire::(https?::|Check-|Retries|ForceIPv)' >"$work/apt.conf" || true

# Make a minimal root of one suite, and set up apt, pip and certificates in it as they are here.
make_root() {
    local suite=$1 root=$2 file
    mmdebstrap --quiet --variant=minbase --components=main --aptopt="$work/apt.conf" \
        --include="$needs" "$suite" "$root" ${mirror:+"$mirror"}
    for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/apt/auth.conf /etc/apt/auth.conf.d \
        /usr/local/share/ca-certificates /etc/ssl/certs/ca-certificates.crt "$HOME/.config/pip" "$HOME/.pip"; do
        [ -e "$file" ] || continue
        mkdir -p "$root$(dirname "${file/#"$HOME"//root}")"
        cp -rLT "$file" "$root${file/#"$HOME"//root}"
    done
}

# Run the command in a root, with processes and mounts of its own that end with it. A chroot would forbid the
# namespaces that tests make, so the root is exchanged. Downloads are shared with this machine.
run_in() {
    local root=$1 settings
    mapfile -t settings < <(env | grep -iE '^(PIP_|https?_proxy=|no_proxy=|TERM=)' || true)
    mkdir -p "$cache/pip" "$cache/saloon-fresh/$2"
    env -i "${settings[@]}" CI="${CI:-true}" HOME=/root LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        unshare --mount --pid --fork --kill-child /bin/bash -euc '
            root=$1
            mount --bind "$root" "$root"
            mkdir -p "$root/before" "$root/root/.cache/pip"
            mount -t proc proc "$root/proc"
            mount --rbind /sys "$root/sys"
            mount --rbind /dev "$root/dev"
            mount --bind "$2/pip" "$root/root/.cache/pip"
            mount --bind "$2/saloon-fresh/$3" "$root/var/cache/apt/archives"
            cd "$root"
            pivot_root . before
            cd /root/saloon
            umount -l /before
            rmdir /before
            /bin/bash -c "$4" && exit 0 || exit $?
        ' _ "$root" "$cache" "$2" "$command" <&0 &
    running=$!
    local status=0
    wait "$running" || status=$?
    running=
    return $status
}

for suite in "${suites[@]}"; do
    root=${kept:-$work}/$suite
    if [ ! -d "$root/root" ]; then
        echo "A minimal Debian $suite with $needs ..."
        make_root "$suite" "$root"
    fi
    [ -d "$root/root/saloon" ] || git clone --quiet . "$root/root/saloon"
    git -C "$root/root/saloon" fetch --quiet "$PWD" HEAD
    git -C "$root/root/saloon" reset --quiet --hard FETCH_HEAD
    status=0
    run_in "$root" "$suite" || status=$?
    [ $status = 0 ] || { echo "Debian $suite: failed with status $status" >&2; exit $status; }
done
