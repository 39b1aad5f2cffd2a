"""The inputs of ``score``, ``rank`` and ``replay``: worked cases, plain objects, or lists of them."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from base.errors import BadData
from core.cli.cases.kinds import BASE_EDITION, case_place
from core.cli.cases.vectors import Vector, VectorFile, overridden, readable_vectors
from core.cli.files import decode, file_text
from core.cli.rules import rules_named
from core.editions.edition import Edition
from core.editions.loader import editions, with_options

DEFAULT_EDITION = BASE_EDITION
"""The edition for plain objects that don't name one."""
EDITION_HELP = "For games that name no edition: a key, or a file of house rules; +option switches one on."


class Given(msgspec.Struct, frozen=True):
    """An input of a command.

    where: its location, for error messages.
    not_there: the reason why it isn't supported yet, or "".
    """

    name: str
    where: str
    vector: Vector
    edition: Edition
    not_there: str = ""


class _Lists(msgspec.Struct, frozen=True):
    vectors: msgspec.Raw


def read_inputs(path: Path, kind: str, edition_key: str) -> Iterator[Given]:
    """Yield the inputs of a file: its vectors of the given kind, or its object or list of objects.

    Raises BadData for a file without any.
    """
    text = file_text(path)
    rules = rules_named(edition_key)
    if _has_vectors(text):
        yield from _from_vectors(readable_vectors(path), kind, rules)
        return
    items = (
        decode(text, list[msgspec.Raw], str(path))
        if text.lstrip().startswith("[")
        else [msgspec.Raw(text.encode())]
    )
    if not items:
        raise BadData(str(path), "the list is empty")
    for number, item in enumerate(items, start=1):
        name = f"number {number}"
        yield Given(name, f"{path}, {name}", Vector(name, item), rules)


def _has_vectors(text: str) -> bool:
    try:
        msgspec.json.decode(text, type=_Lists)
    except msgspec.DecodeError:
        return False
    return True


def _from_vectors(file: VectorFile, kind: str, named: Edition) -> Iterator[Given]:
    known = {edition.key: edition for edition in editions()} | {named.key: named}
    has_kind = False
    for vector in file.vectors:
        where = file.place(vector)
        place = case_place(vector, known, where, named.key)
        if place.kind != kind:
            continue
        has_kind = True
        if place.not_there:
            yield Given(vector.id, where, vector, named, place.not_there)
        else:
            base = known[place.edition_key]
            chosen = with_options(base, (*base.chosen, *place.options), where)
            rules = overridden(chosen, vector.config, where)
            yield Given(vector.id, where, vector, rules)
    if not has_kind:
        raise BadData(str(file.path), f"there is no case of the kind {kind} in this file")
