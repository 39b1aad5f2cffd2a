"""Files of worked cases ("vectors"): input, expected values, and the edition they belong to."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from saloon.core.errors import BadData
from saloon.core.program.files import decoded, file_text


class Vector(msgspec.Struct, frozen=True):
    """One worked case. kind, module, mode: what it is about, where the file says it.

    ruleset: the edition's key. variants: add-ons of that edition. config: readings to use.
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
    """A file and its vectors in order."""

    path: Path
    vectors: tuple[Vector, ...]

    def place(self, vector: Vector) -> str:
        """The words that name a vector in errors."""
        return f"{self.path}, {vector.id}"


class _Named(msgspec.Struct, frozen=True):
    id: str


def vector_file(path: Path) -> VectorFile:
    """The vectors of a file: all its lists of objects, in order.

    Raises BadData naming file, vector and key.
    """
    lists = decoded(file_text(path), dict[str, msgspec.Raw], str(path))
    vectors = tuple(vector for key, raw in lists.items() for vector in _listed(raw, f"{path}, {key}", path))
    if not vectors:
        raise BadData(str(path), "there is no list of vectors in this file")
    twice = {vector.id for vector in vectors if sum(other.id == vector.id for other in vectors) > 1}
    if twice:
        raise BadData(f"{path}, {min(twice)}", "two vectors have this id")
    return VectorFile(path, vectors)


def _listed(raw: msgspec.Raw, where: str, path: Path) -> Iterator[Vector]:
    if not bytes(raw).lstrip().startswith(b"["):
        return
    for number, item in enumerate(decoded(raw, list[msgspec.Raw], where), start=1):
        try:
            named = msgspec.json.decode(item, type=_Named).id
        except msgspec.DecodeError as error:
            raise BadData(f"{where}, number {number}", "this is not a vector: it has no id") from error
        yield decoded(item, Vector, f"{path}, {named}")
