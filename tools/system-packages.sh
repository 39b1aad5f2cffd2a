#!/bin/sh
# What the tests need from the system: a Chromium for the pages, systemd-analyze for the unit files.
set -u
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || missing="chromium"
command -v systemd-analyze >/dev/null 2>&1 || missing="$missing systemd"
[ -z "$missing" ] && exit 0
echo "Not installed, and used by tests: $missing. Asking apt for it."
as_root=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "No right to install it. As root: apt-get install $missing. The tests that need it will fail and say so." >&2
        exit 0
    fi
    as_root="sudo"
fi
# shellcheck disable=SC2086
if $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    exit 0
fi
echo "apt could not install $missing. The tests that need it will fail and say so." >&2
exit 0
