#!/bin/sh
# Check what a target needs from the system, as command:package, or a package alone where it has no command; apt is asked for what is missing.
set -u
missing=""
for need in "$@"; do
    case "$need" in
        *:*) command -v "${need%%:*}" >/dev/null 2>&1 || missing="$missing ${need#*:}" ;;
        *) dpkg-query --show --showformat='${db:Status-Status}\n' "$need" 2>/dev/null | grep -qx installed || missing="$missing $need" ;;
    esac
done
[ -z "$missing" ] && exit 0
echo "Not installed, and used here:$missing. Asking apt for it."
as_root=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "No right to install it. As root: apt-get install$missing. What needs it will fail and say so." >&2
        exit 0
    fi
    as_root="sudo"
fi
# shellcheck disable=SC2086
if $as_root apt-get update -qq; then
    LC_ALL=C $as_root apt-get install --assume-no --no-install-recommends $missing | grep '^Need to get'
    echo "Downloading and installing takes some minutes, once."
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
fi
echo "apt could not install$missing. What needs it will fail and say so." >&2
exit 0
