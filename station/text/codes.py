"""QR codes of pages, cached, as making one takes longer than the rest of a phone's page."""

from functools import lru_cache
from typing import Final

import segno

_KEPT: Final = 2048
"""Number of cached codes of about 2 kB: badges, sheets and phones for 1,000 players."""


@lru_cache(_KEPT)
def printed_code(link: str) -> str:
    """Return the QR code of a link as an SVG for papers."""
    return segno.make(link, error="m").svg_inline(border=1, omitsize=True)


@lru_cache(_KEPT)
def shown_code(link: str) -> str:
    """Return the QR code of a link as a data URI for pages."""
    return segno.make(link, error="m").svg_data_uri(border=2, scale=6)
