"""Debian's packages: fetched by this machine's apt, unpacked in layers that later images reuse."""
