"""Extract parcels from uploaded photos, files and pasted text."""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from base.errors import Refused
from station.offline.import_results import ParcelRefusal
from station.offline.intake import parcel_refusal
from station.offline.qr_codes import texts_in
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

MOST_TEXTS = 2_000
"""The most lines of text to read from one upload."""
_FAMILY = PREFIX[:6].encode()


class FoundParcel(msgspec.Struct, frozen=True):
    """A complete parcel and the file that contained it."""

    where: str
    parcel: bytes


class UploadProblem(msgspec.Struct, frozen=True):
    """A file, picture or line without a usable part, and the reason."""

    where: str
    refused: Refused


class UploadedParcels(msgspec.Struct, frozen=True):
    """The parcels of one upload. ``parcels`` are the complete ones, without duplicates.

    ``progress`` and ``parts`` describe incomplete ones.
    """

    parcels: tuple[FoundParcel, ...]
    progress: tuple[ParcelProgress, ...]
    parts: tuple[str, ...]
    troubles: tuple[UploadProblem, ...]


class _ParcelExtractor:
    def __init__(self) -> None:
        self.gathering = ParcelAssembler()
        self.parcels: dict[bytes, FoundParcel] = {}
        self.troubles: list[UploadProblem] = []

    def try_to(self, where: str, work: Callable[[], None]) -> None:
        """Call a function and record its refusal as a problem."""
        try:
            work()
        except BadParcel as error:
            self.troubles.append(UploadProblem(where, parcel_refusal(error)))
        except Refused as refused:
            self.troubles.append(UploadProblem(where, refused))

    def text(self, where: str, text: str) -> None:
        """Add a part from a line of text."""
        whole = self.gathering.add(part_of(text, where))
        if whole is not None:
            self.whole(where, whole)

    def whole(self, where: str, parcel: bytes) -> None:
        self.parcels.setdefault(parcel, FoundParcel(where, parcel))

    def file(self, where: str, data: bytes) -> None:
        """Add a parcel's file, lines of text, or a picture."""
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
        """Add parts, one per line."""
        for line in text.split(None, MOST_TEXTS)[:MOST_TEXTS]:
            self.try_to(where, partial(self.text, where, line))


def extract_parcels(files: Sequence[tuple[str, bytes]], texts: str = "") -> UploadedParcels:
    """Extract parcels from files (name, bytes) and text. Decodes pictures, which may take seconds."""
    hauling = _ParcelExtractor()
    hauling.lines("", texts)
    for where, data in files:
        hauling.try_to(where, partial(hauling.file, where, data))
    return UploadedParcels(
        parcels=tuple(hauling.parcels.values()),
        progress=hauling.gathering.progress(),
        parts=tuple(text_of(part) for part in hauling.gathering.pending_parts()),
        troubles=tuple(hauling.troubles),
    )


def parts_in(picture: bytes) -> tuple[ParcelPart, ...]:
    """Return the parts in the codes of one picture; most frames of a video have none."""
    hauling: list[ParcelPart] = []
    try:
        texts = texts_in(picture)
    except Refused:
        return ()
    for text in texts:
        try:
            hauling.append(part_of(text, "picture"))
        except BadParcel:
            continue
    return tuple(hauling)
