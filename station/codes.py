"""Finds the codes in a picture, however it was taken. Takes up to seconds: belongs on a worker thread."""

from collections.abc import Iterator
from io import BytesIO

import zxingcpp
from PIL import Image, ImageFilter, ImageOps

from saloon.core.errors import Refused
from saloon.station.intake_contract import Problem

LARGEST_PICTURE = 24 * 1024 * 1024
"""Bytes of a picture."""
MOST_MEGAPIXELS = 64
_QR = zxingcpp.barcode_formats_from_str("QRCode")
_FORMATS = ("JPEG", "PNG", "WEBP")
_LONG_SIDE = 4000
"""Pixels; a code that fills a quarter of such a picture still has five for each module."""
_SMALLER = 1600
_UNREADABLE = (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError)


def texts_in(picture: bytes) -> tuple[str, ...]:
    """The texts of all QR codes in a picture, each once. Raises Refused for none, and for no picture."""
    grey = _grey(picture)
    found: dict[str, None] = {}
    for variant in _variants(grey):
        codes = zxingcpp.read_barcodes(variant, formats=_QR)
        found |= {code.text: None for code in codes if code.text}
        if found:
            return tuple(found)
    raise Refused(Problem.NO_CODE)


def _grey(picture: bytes) -> Image.Image:
    """The picture in grey, upright, not larger than is of use."""
    refused = Refused(Problem.NO_PICTURE, megapixels=MOST_MEGAPIXELS)
    if len(picture) > LARGEST_PICTURE:
        raise refused
    try:
        with Image.open(BytesIO(picture), formats=_FORMATS) as opened:
            # Only the head of the file is read so far: what unpacks to too much is not unpacked.
            if opened.width * opened.height > MOST_MEGAPIXELS * 1_000_000:
                raise refused
            opened.draft("L", (_LONG_SIDE, _LONG_SIDE))
            grey = ImageOps.exif_transpose(opened).convert("L")
    except _UNREADABLE as error:
        raise refused from error
    grey.thumbnail((_LONG_SIDE, _LONG_SIDE))
    return grey


def _variants(grey: Image.Image) -> Iterator[Image.Image]:
    """The picture as it is, then as pictures of bad light and an unsteady hand are read better."""
    yield grey
    yield ImageOps.autocontrast(grey, cutoff=1)
    smaller = grey.copy()
    smaller.thumbnail((_SMALLER, _SMALLER))
    yield ImageOps.autocontrast(smaller, cutoff=2)
    yield smaller.filter(ImageFilter.UnsharpMask(radius=3, percent=200))
    yield ImageOps.autocontrast(smaller.filter(ImageFilter.MedianFilter(3)), cutoff=2)
