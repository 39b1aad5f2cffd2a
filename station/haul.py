"""What a judge brings: pictures, files and lines of text, made into parcels."""

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from saloon.core.errors import Refused
from saloon.station.codes import texts_in
from saloon.station.intake_contract import Problem
from saloon.station.office.intake import refused_parcel
from saloon.sync.parcel import MAGIC, BadParcel
from saloon.sync.parcel_parts import PREFIX, Gathering, Part, Progress, part_of, text_of

MOST_TEXTS = 2_000
"""Lines of text that are looked at in one haul."""
_FAMILY = PREFIX[:6].encode()


class Found(msgspec.Struct, frozen=True):
    """A whole parcel, and where it was found."""

    where: str
    parcel: bytes


class Trouble(msgspec.Struct, frozen=True):
    """A file, picture or line that gave nothing, and why."""

    where: str
    refused: Refused


class Haul(msgspec.Struct, frozen=True):
    """parcels: whole ones, each once. progress, parts: of those that still miss parts."""

    parcels: tuple[Found, ...]
    progress: tuple[Progress, ...]
    parts: tuple[str, ...]
    troubles: tuple[Trouble, ...]


class _Hauling:
    def __init__(self) -> None:
        self.gathering = Gathering()
        self.parcels: dict[bytes, Found] = {}
        self.troubles: list[Trouble] = []

    def trying(self, where: str, work: Callable[[], None]) -> None:
        """Do something that may give nothing."""
        try:
            work()
        except BadParcel as error:
            self.troubles.append(Trouble(where, refused_parcel(error)))
        except Refused as refused:
            self.troubles.append(Trouble(where, refused))

    def text(self, where: str, text: str) -> None:
        """A part as a line of text."""
        whole = self.gathering.add(part_of(text, where))
        if whole is not None:
            self.whole(where, whole)

    def whole(self, where: str, parcel: bytes) -> None:
        """A parcel that is whole."""
        self.parcels.setdefault(parcel, Found(where, parcel))

    def file(self, where: str, data: bytes) -> None:
        """A parcel's file, lines of text, or a picture."""
        if data.startswith(MAGIC[:2]):
            self.whole(where, data)
        elif data.lstrip().startswith(_FAMILY):
            self.lines(where, data.decode("ascii", "replace"))
        else:
            self.codes(where, texts_in(data))

    def codes(self, where: str, texts: Sequence[str]) -> None:
        """The codes of one picture: others' posters may hang beside ours."""
        ours = [text for text in texts if text.startswith(PREFIX[:6])]
        if not ours:
            raise Refused(Problem.NO_PARCEL)
        for text in ours:
            self.trying(where, partial(self.text, where, text))

    def lines(self, where: str, text: str) -> None:
        """Parts, one on each line."""
        for line in text.split()[:MOST_TEXTS]:
            self.trying(where, partial(self.text, where, line))


def hauled(files: Sequence[tuple[str, bytes]], texts: str = "") -> Haul:
    """What these files (name, bytes) and this text give together; reads pictures, so may take seconds."""
    hauling = _Hauling()
    hauling.lines("", texts)
    for where, data in files:
        hauling.trying(where, partial(hauling.file, where, data))
    return Haul(
        parcels=tuple(hauling.parcels.values()),
        progress=hauling.gathering.progress(),
        parts=tuple(text_of(part) for part in hauling.gathering.held()),
        troubles=tuple(hauling.troubles),
    )


def parts_in(picture: bytes) -> tuple[Part, ...]:
    """The parts whose codes are in one picture; none where there is none, as in most frames of a film."""
    hauling: list[Part] = []
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
