"""The build of images: Debian's packages, Saloon itself, one disk that boots.

Run from the checkout as ``python -m image.recipe``; no part of the wheel. The work to be done is a value
(`plan`), made without root and without network; the steps (`packages`, `program`, `card`) do it. Nothing here
knows a host name: packages come from the apt sources of the machine that builds, wheels from its pip's index.
"""
