"""Files of worked cases ("vectors"): input, expected values, edition and readings."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.cli.files import decode, file_text
from core.editions.edition import Edition
from core.editions.game_rules import AuctionRule, Options
from core.editions.loader import with_readings
from core.editions.tables import AboveChart

CHART_ABOVE_50 = "chart_above_50"
"""A config flag for a part of the table chart rather than a reading (D02)."""

ENLISTMENT_AUCTION: Mapping[str, str] = {
    "enlistment_bid_step": "step",
    "enlistment_bid_order": "order",
    "enlistment_next_nominator": "next_nominator",
}
"""Config flags for fields of the enlistment auction rather than readings (D32)."""


def overridden(edition: Edition, config: Mapping[str, object], where: str) -> Edition:
    """Return an edition with the readings of a vector's config. ``where`` is the vector, for error messages.

    Raises BadData for unknown flags or values; ignoring them would pass a case that was never tried.
    """
    flags = dict(config)
    tables = edition.tables
    if CHART_ABOVE_50 in flags:
        tables = replace(tables, above_chart=_above_chart(flags.pop(CHART_ABOVE_50), where))
    options = _options(edition.options, flags, f"{where}, config")
    read = with_readings(edition, flags, f"{where}, config")
    return replace(read, tables=tables, options=options)


def _options(options: Options, flags: dict[str, object], where: str) -> Options:
    """Return the options with the auction changed by flags, and remove those flags from the mapping."""
    flagged = {field: flags.pop(flag) for flag, field in ENLISTMENT_AUCTION.items() if flag in flags}
    if options.enlistment is None or not flagged:
        return options
    try:
        rule = msgspec.convert(msgspec.to_builtins(options.enlistment.auction) | flagged, AuctionRule)
    except msgspec.ValidationError as error:
        raise BadData(where, str(error).replace("`", "")) from error
    return replace(options, enlistment=replace(options.enlistment, auction=rule))


def _above_chart(value: object, where: str) -> AboveChart:
    try:
        return AboveChart(value)
    except ValueError as error:
        allowed = ", ".join(known.value for known in AboveChart)
        raise BadData(
            f"{where}, config.{CHART_ABOVE_50}", f"unknown value {value!r}; allowed: {allowed}"
        ) from error


def rename_fields(raw: msgspec.Raw, also_called: Mapping[str, Sequence[str]], where: str) -> msgspec.Raw:
    """Rename the fields of an object. Raises BadData.

    ``also_called`` maps our own names to synonyms.
    """
    fields = decode(raw, dict[str, msgspec.Raw], f"{where}, input")
    for name, others in also_called.items():
        for other in others:
            if name not in fields and other in fields:
                fields[name] = fields.pop(other)
    return msgspec.Raw(msgspec.json.encode(fields))


class Vector(msgspec.Struct, frozen=True):
    """One worked case. ``kind``, ``module`` and ``mode`` are the topic, as far as the file gives it.

    ruleset: key of the edition.
    variants: add-ons of that edition.
    config: readings that apply.
    """

    id: str
    input: msgspec.Raw
    expected: dict[str, object] = {}
    kind: str | None = None
    module: str | None = None
    mode: str | None = None
    ruleset: str | None = None
    variants: tuple[str, ...] = ()
    config: dict[str, object] = {}


class VectorFile(msgspec.Struct, frozen=True):
    """A file and its vectors in order.

    ``unreadable`` is one error for each entry that isn't a valid vector.
    """

    path: Path
    vectors: tuple[Vector, ...]
    unreadable: tuple[BadData, ...] = ()

    def place(self, vector: Vector) -> str:
        """Return the location of a vector for error messages."""
        return f"{self.path}, {vector.id}"


class _Named(msgspec.Struct, frozen=True):
    id: str


def vector_file(path: Path) -> VectorFile:
    """Return the vectors of all lists in a file, in order, and an error for each invalid entry.

    Raises BadData for a file without any entry.
    """
    lists = decode(file_text(path), dict[str, msgspec.Raw], str(path))
    vectors: list[Vector] = []
    unreadable: list[BadData] = []
    for key, raw in lists.items():
        for entry in _entries(raw, f"{path}, {key}", path):
            if isinstance(entry, BadData):
                unreadable.append(entry)
            elif any(other.id == entry.id for other in vectors):
                unreadable.append(BadData(f"{path}, {entry.id}", "two vectors have this id"))
            else:
                vectors.append(entry)
    if not vectors and not unreadable:
        raise BadData(str(path), "there is no list of vectors in this file")
    return VectorFile(path, tuple(vectors), tuple(unreadable))


def readable_vectors(path: Path) -> VectorFile:
    """Return the vectors of a file. Raises BadData for the first invalid entry."""
    file = vector_file(path)
    if file.unreadable:
        raise file.unreadable[0]
    return file


def _entries(raw: msgspec.Raw, where: str, path: Path) -> Iterator[Vector | BadData]:
    if not bytes(raw).lstrip().startswith(b"["):
        return
    for number, item in enumerate(decode(raw, list[msgspec.Raw], where), start=1):
        try:
            identity = msgspec.json.decode(item, type=_Named).id
        except msgspec.DecodeError:
            yield BadData(f"{where}, number {number}", "this is not a vector: it has no id")
            continue
        try:
            yield decode(item, Vector, f"{path}, {identity}")
        except BadData as error:
            yield error
