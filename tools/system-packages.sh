#!/bin/sh
# What a target needs from the system, as command:package; what is missing is asked of apt.
set -u
missing=""
for need in "$@"; do
    command -v "${need%%:*}" >/dev/null 2>&1 || missing="$missing ${need#*:}"
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
if $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    exit 0
fi
echo "apt could not install$missing. What needs it will fail and say so." >&2
exit 0
