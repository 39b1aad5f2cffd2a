"""Debian's packages, fetched by this machine's apt and unpacked in layers that later images reuse."""
