"""Worked cases ("vectors") and plain objects in their format, with the rules that each is judged by."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.cli.files import decode, file_text, rules_named
from core.editions.edition import Edition
from core.editions.game_rules import AuctionRule, Options
from core.editions.loader import editions, with_options, with_readings
from core.editions.tables import AboveChart
from core.rule_set import OptionKey

BASE_EDITION = "championship-2022"
"""The edition for cases of the base game, and for plain objects, that name none."""
EDITION_HELP = "For games that name no edition: a key, or a file of house rules; +option switches one on."
REBEL_MODULE = "rebel"
"""The name of the Rebel! rules in worked cases."""
_REBEL_EDITION = "official-2003"
"""The edition for role cases with the Rebel! that name none."""
_BASE_MODULE = "base"
_WITH_OPTIONS: Mapping[str, tuple[str, tuple[OptionKey, ...]]] = {
    "enlistment-2003": ("official-2003", (OptionKey.ENLISTMENT,)),
}
"""Rule sets of the worked cases that are an edition with options."""
_OPTIONS = {option.value for option in OptionKey}
_CHART_ABOVE_50 = "chart_above_50"
"""A config flag for a part of the table chart rather than a reading (D02)."""
_ENLISTMENT_AUCTION: Mapping[str, str] = {
    "enlistment_bid_step": "step",
    "enlistment_bid_order": "order",
    "enlistment_next_nominator": "next_nominator",
}
"""Config flags for fields of the enlistment auction rather than readings (D32)."""

_Input = TypeVar("_Input")

Expect = Literal["accept", "reject"]


class Vector(msgspec.Struct, frozen=True):
    """One worked case as written.

    kind, module, mode: its topic, if the file gives it.
    ruleset: the key of the edition.
    variants: options of that edition that are on.
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
    """A file with its vectors in order, and an error for each entry that isn't a valid vector."""

    path: Path
    vectors: tuple[Vector, ...]
    unreadable: tuple[BadData, ...] = ()

    def place(self, vector: Vector) -> str:
        return f"{self.path}, {vector.id}"


class Case(msgspec.Struct, frozen=True):
    """An input of a command, with the edition that applies. where: its location, for error messages.

    not_there: why it isn't supported yet, or "".
    kind, options: of a vector; the options are to be switched on.
    """

    name: str
    where: str
    input: msgspec.Raw
    edition: Edition
    not_there: str = ""
    kind: str = ""
    options: tuple[OptionKey, ...] = ()

    @property
    def keys(self) -> dict[str, msgspec.Raw]:
        """Return the fields of the input. Raises BadData."""
        return decode(self.input, dict[str, msgspec.Raw], self.where)

    def read(self, kind: type[_Input]) -> _Input:
        """Return the input of a vector as a type. Raises BadData."""
        return decode(self.input, kind, f"{self.where}, input")


class _Named(msgspec.Struct, frozen=True):
    id: str


class _Lists(msgspec.Struct, frozen=True):
    vectors: msgspec.Raw


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


def read_cases(path: Path, kind: str, edition_key: str) -> Iterator[Case]:
    """Yield the cases of a file: its vectors of the given kind, or its object or list of objects.

    Raises BadData for a file without any.
    """
    text = file_text(path)
    rules = rules_named(edition_key)
    if _has_vectors(text):
        yield from _cases_of_vectors(vector_file(path), kind, rules)
        return
    items = (
        decode(text, list[msgspec.Raw], str(path))
        if text.lstrip().startswith("[")
        else [msgspec.Raw(text.encode())]
    )
    if not items:
        raise BadData(str(path), "the list is empty")
    for number, item in enumerate(items, start=1):
        yield Case(f"number {number}", f"{path}, number {number}", item, rules)


def _has_vectors(text: str) -> bool:
    try:
        msgspec.json.decode(text, type=_Lists)
    except msgspec.DecodeError:
        return False
    return True


def _cases_of_vectors(file: VectorFile, kind: str, named: Edition) -> Iterator[Case]:
    if file.unreadable:
        raise file.unreadable[0]
    known = {edition.key: edition for edition in editions()} | {named.key: named}
    cases = [(case_of(file, vector, known, named.key), vector) for vector in file.vectors]
    if all(case.kind != kind for case, _ in cases):
        raise BadData(str(file.path), f"there is no case of the kind {kind} in this file")
    for case, vector in cases:
        if case.kind == kind:
            yield case if case.not_there else configured(case, vector)


def case_of(file: VectorFile, vector: Vector, known: Mapping[str, Edition], base: str = BASE_EDITION) -> Case:
    """Return a vector as a case, without its options and readings.

    known: the existing editions by key.
    base: the edition for vectors that name none.
    Raises BadData for a vector of unknown kind.
    """
    where = file.place(vector)
    fields = decode(vector.input, dict[str, msgspec.Raw], f"{where}, input")
    kind = vector.kind or _kind_by_shape(vector, frozenset(fields), where)
    key = vector.ruleset
    if key is None and "ruleset" in fields:
        key = decode(fields["ruleset"], str, f"{where}, input.ruleset")
    options: tuple[OptionKey, ...] = ()
    if key is not None and key in _WITH_OPTIONS:
        key, options = _WITH_OPTIONS[key]
    case = Case(vector.id, where, vector.input, known.get(key or base, known[base]), kind=kind)
    if key is not None and key not in known:
        return replace(case, not_there=f"edition not there yet: {key}")
    unknown = [variant for variant in vector.variants if variant not in _OPTIONS]
    if unknown:
        return replace(case, not_there=f"add-on not there yet: {', '.join(unknown)}")
    module = vector.module or _BASE_MODULE
    if "module" in fields:
        module = decode(fields["module"], str, f"{where}, input.module")
    if module not in {_BASE_MODULE, REBEL_MODULE}:
        return replace(case, not_there=f"module not there yet: {module}")
    if module == REBEL_MODULE and key is None and kind == "roles":
        case = replace(case, edition=known[_REBEL_EDITION])
    return replace(case, options=(*options, *map(OptionKey, vector.variants)))


def _kind_by_shape(vector: Vector, fields: frozenset[str], where: str) -> str:
    if vector.mode is not None:
        return f"{vector.mode} duel"
    if "operations" in fields:
        return "auction"
    if "games" in fields:
        return "tie_breaks"
    if "eliminations" in fields:
        return "ending" if vector.module is not None else "scoring"
    if "life" in fields and "events" in fields:
        return "high_noon"
    raise BadData(where, "neither kind, module nor the keys of input tell what this vector is about")


def configured(case: Case, vector: Vector) -> Case:
    """Return the case of a vector with the options and readings that apply.

    Raises BadData for unknown flags or values; ignoring them would pass a case that was never tried.
    """
    chosen = with_options(case.edition, (*case.edition.chosen, *case.options), case.where)
    return replace(case, edition=overridden(chosen, vector.config, case.where))


def overridden(edition: Edition, config: Mapping[str, object], where: str) -> Edition:
    """Return an edition with the readings of a vector's config. Raises BadData."""
    flags = dict(config)
    tables = edition.tables
    if _CHART_ABOVE_50 in flags:
        tables = replace(tables, above_chart=_above_chart(flags.pop(_CHART_ABOVE_50), where))
    options = _change_auction(edition.options, flags, f"{where}, config")
    read = with_readings(edition, flags, f"{where}, config")
    return replace(read, tables=tables, options=options)


def _change_auction(options: Options, flags: dict[str, object], where: str) -> Options:
    flagged = {field: flags.pop(flag) for flag, field in _ENLISTMENT_AUCTION.items() if flag in flags}
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
            f"{where}, config.{_CHART_ABOVE_50}", f"unknown value {value!r}; allowed: {allowed}"
        ) from error
