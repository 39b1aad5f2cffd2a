"""Read users' files, with errors that name the file and the place in it."""

from pathlib import Path
from typing import TypeVar

import msgspec

from base.errors import BadData

Kind = TypeVar("Kind")


def file_text(path: Path) -> str:
    """Return the text of a file. Raises BadData if it can't be read or isn't UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadData(str(path), f"this is not UTF-8 text (byte {error.start})") from error
    except OSError as error:
        raise BadData(str(path), error.strerror or "cannot be read") from error


def decode(raw: bytes | str | msgspec.Raw, kind: type[Kind], where: str) -> Kind:
    """Decode JSON into a type. ``where`` is the file and the place in it, for errors. Raises BadData."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise BadData(where, _describe_error(str(error))) from error


def _describe_error(problem: str) -> str:
    """Return msgspec's error with the key first: ``input.players: expected int, got str``."""
    sentence, _, key = problem.partition(" - at `$")
    sentence = sentence.replace("`", "")
    name = key.rstrip("`").lstrip(".")
    return f"{name}: {sentence}" if name else sentence
