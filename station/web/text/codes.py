"""QR codes of pages, kept: making one takes longer than the rest of a phone's page."""

from functools import lru_cache
from typing import Final

import segno

_KEPT: Final = 2048
"""Codes of some 2 kB: of the badges, sheets and phones of 1,000 players."""


@lru_cache(_KEPT)
def printed_code(link: str) -> str:
    """Return the code of a page as an SVG for papers."""
    return segno.make(link, error="m").svg_inline(border=1, omitsize=True)


@lru_cache(_KEPT)
def shown_code(link: str) -> str:
    """Return the code of a page as the address of a picture for pages."""
    return segno.make(link, error="m").svg_data_uri(border=2, scale=6)
