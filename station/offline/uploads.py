"""Extract parcels from uploaded photos, files and pasted text."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO

import msgspec
from PIL import Image, ImageFilter, ImageOps

from base.errors import Refused
from station.offline.service import ParcelRefusal, parcel_refusal
from sync.protocol.parcel import (
    MAGIC,
    PREFIX,
    BadParcel,
    ParcelAssembler,
    ParcelPart,
    ParcelProgress,
    part_of,
    text_of,
)

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
    """Return the distinct texts of all QR codes in a picture. Raises Refused if there are none."""
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


MOST_TEXTS = 2_000
"""The most lines of text to read from one upload."""
_FAMILY = PREFIX[:6].encode()


class FoundParcel(msgspec.Struct, frozen=True):
    """A complete parcel and the file that contained it."""

    where: str
    parcel: bytes


class UploadProblem(msgspec.Struct, frozen=True):
    """A file, picture or line that contains no usable part, and the reason."""

    where: str
    refused: Refused


class UploadedParcels(msgspec.Struct, frozen=True):
    """The parcels of one upload; ``progress`` and ``parts`` belong to incomplete ones."""

    parcels: tuple[FoundParcel, ...]
    progress: tuple[ParcelProgress, ...]
    parts: tuple[str, ...]
    problems: tuple[UploadProblem, ...]


class _ParcelExtractor:
    def __init__(self) -> None:
        self.assembler = ParcelAssembler()
        self.parcels: dict[bytes, FoundParcel] = {}
        self.problems: list[UploadProblem] = []

    def try_to(self, where: str, work: Callable[[], None]) -> None:
        try:
            work()
        except BadParcel as error:
            self.problems.append(UploadProblem(where, parcel_refusal(error)))
        except Refused as refused:
            self.problems.append(UploadProblem(where, refused))

    def text(self, where: str, text: str) -> None:
        whole = self.assembler.add(part_of(text, where))
        if whole is not None:
            self.whole(where, whole)

    def whole(self, where: str, parcel: bytes) -> None:
        self.parcels.setdefault(parcel, FoundParcel(where, parcel))

    def file(self, where: str, data: bytes) -> None:
        if data.startswith(MAGIC[:2]):
            self.whole(where, data)
        elif data.lstrip().startswith(_FAMILY):
            self.lines(where, data.decode("ascii", "replace"))
        else:
            self.codes(where, texts_in(data))

    def codes(self, where: str, texts: Sequence[str]) -> None:
        """Add the parts from the codes of one picture, ignoring other codes, such as on posters in view."""
        ours = [text for text in texts if text.startswith(PREFIX[:6])]
        if not ours:
            raise Refused(ParcelRefusal.NO_PARCEL)
        for text in ours:
            self.try_to(where, partial(self.text, where, text))

    def lines(self, where: str, text: str) -> None:
        for line in text.split(None, MOST_TEXTS)[:MOST_TEXTS]:
            self.try_to(where, partial(self.text, where, line))


def extract_parcels(files: Sequence[tuple[str, bytes]], texts: str = "") -> UploadedParcels:
    """Extract parcels from files (name, bytes) and text. Decodes pictures, which may take seconds."""
    extractor = _ParcelExtractor()
    extractor.lines("", texts)
    for where, data in files:
        extractor.try_to(where, partial(extractor.file, where, data))
    return UploadedParcels(
        parcels=tuple(extractor.parcels.values()),
        progress=extractor.assembler.progress(),
        parts=tuple(text_of(part) for part in extractor.assembler.pending_parts()),
        problems=tuple(extractor.problems),
    )


def parts_in(picture: bytes) -> tuple[ParcelPart, ...]:
    """Return the parts in the codes of one picture; most frames of a video have none."""
    parts: list[ParcelPart] = []
    with contextlib.suppress(Refused):
        for text in texts_in(picture):
            with contextlib.suppress(BadParcel):
                parts.append(part_of(text, "picture"))
    return tuple(parts)
