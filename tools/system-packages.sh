#!/bin/sh
# What the tests need from the system: a Chromium for the browser tests.
set -u
if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; then
    exit 0
fi
echo "Chromium is not installed: asking apt for it (the browser tests use it)."
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "No right to install it. As root: apt-get install chromium. The browser tests will fail and say so." >&2
    exit 0
fi
if $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends chromium >/dev/null; then
    exit 0
fi
echo "apt could not install chromium. The browser tests will fail and say so." >&2
exit 0
