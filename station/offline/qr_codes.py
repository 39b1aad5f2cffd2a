"""Find the QR codes in a photo of any quality. May take seconds: call it on a worker thread."""

from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageFilter, ImageOps

from base.errors import Refused
from station.offline.import_results import ParcelRefusal

LARGEST_PICTURE = 24 * 1024 * 1024
"""The size limit of an uploaded picture, in bytes."""
MOST_MEGAPIXELS = 64
_MOST_UNPACKED_MEGAPIXELS = 24
"""The limit for formats that are decompressed whole; a JPEG is scaled down while it is decoded."""
_MOST_SCANS = 60
"""The limit for a progressive JPEG, as each tiny scan costs a pass over the whole picture."""
_SCAN = b"\xff\xda"
_FORMATS = ("JPEG", "PNG", "WEBP")
_LONG_SIDE = 4000
"""The longest side in pixels; a code that fills a quarter of it still has five for each module."""
_SMALLER = 1600
_UNREADABLE = (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError)


def texts_in(picture: bytes) -> tuple[str, ...]:
    """Return the distinct texts of all QR codes in a picture.

    Raises Refused if there is no code or no picture.
    """
    import zxingcpp  # imported with the first picture, so that the station starts faster

    formats = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    grey = _grey(picture)
    texts: dict[str, None] = {}
    for variant in _variants(grey):
        codes = zxingcpp.read_barcodes(variant, formats=formats)
        texts |= {code.text: None for code in codes if code.text}
        if texts:
            return tuple(texts)
    raise Refused(ParcelRefusal.NO_CODE)


def _grey(picture: bytes) -> Image.Image:
    """Decode a picture to greyscale, upright and scaled down to the useful size."""
    refused = Refused(ParcelRefusal.NO_PICTURE, megapixels=_MOST_UNPACKED_MEGAPIXELS)
    if len(picture) > LARGEST_PICTURE or picture.count(_SCAN) > _MOST_SCANS:
        raise refused
    try:
        with Image.open(BytesIO(picture), formats=_FORMATS) as opened:
            # Only the header is read so far, so a decompression bomb is never decompressed.
            most = MOST_MEGAPIXELS if opened.format == "JPEG" else _MOST_UNPACKED_MEGAPIXELS
            if opened.width * opened.height > most * 1_000_000:
                raise refused
            opened.draft("L", (_LONG_SIDE, _LONG_SIDE))
            grey = ImageOps.exif_transpose(opened).convert("L")
    except _UNREADABLE as error:
        raise refused from error
    grey.thumbnail((_LONG_SIDE, _LONG_SIDE))
    return grey


def _variants(grey: Image.Image) -> Iterator[Image.Image]:
    """Yield the picture, then versions that compensate for bad light and blur."""
    yield grey
    yield ImageOps.autocontrast(grey, cutoff=1)
    smaller = grey.copy()
    smaller.thumbnail((_SMALLER, _SMALLER))
    yield ImageOps.autocontrast(smaller, cutoff=2)
    yield smaller.filter(ImageFilter.UnsharpMask(radius=3, percent=200))
    yield ImageOps.autocontrast(smaller.filter(ImageFilter.MedianFilter(3)), cutoff=2)
