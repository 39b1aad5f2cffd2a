"""The build of images from Debian's packages and Saloon, as one bootable disk.

Run it from the checkout as ``python -m image.recipe``; it is not part of the wheel. The plan of a build is a
value (`plan`), made without root or network, and the steps (`packages`, `program` and `card`) carry it out.
No host names are hard-coded: packages come from the apt sources of the building machine, wheels from its
pip's index.
"""
