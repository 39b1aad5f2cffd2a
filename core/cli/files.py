"""Reading users' files and the rules that they name, with errors that give the file and the place in it."""

from pathlib import Path
from typing import TypeVar

import msgspec

from base.errors import BadData
from core.editions.edition import Edition
from core.editions.loader import edition, read_house_rules, with_options
from core.rule_set import OptionKey

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
    """Decode JSON into a type. Raises BadData. where: the file and the place in it, for errors."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise BadData(where, _describe_error(str(error))) from error


def _describe_error(problem: str) -> str:
    sentence, _, key = problem.partition(" - at `$")
    sentence = sentence.replace("`", "")
    name = key.rstrip("`").lstrip(".")
    return f"{name}: {sentence}" if name else sentence


_SUFFIX = ".toml"
"""The file extension of house rules."""
_AND = "+"


def rules_named(name: str) -> Edition:
    """Return the edition with this key, or the house rules in this file; a suffix ``+rebel`` adds an option.

    Raises BadData for an unknown edition, file or option.
    """
    base, *options = [name] if Path(name).exists() else name.split(_AND)
    known = [option.value for option in OptionKey]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise BadData(name, f"there is no option {unknown[0]!r}; allowed: {', '.join(known)}")
    return with_options(_base(base), [OptionKey(option) for option in options], name)


def is_rules_file(path: Path) -> bool:
    return path.suffix == _SUFFIX


def _base(name: str) -> Edition:
    if is_rules_file(Path(name)):
        return read_house_rules(file_text(Path(name)), name)
    try:
        return edition(name)
    except BadData as error:
        raise BadData(error.where, f"{error.problem}, or a file that ends in {_SUFFIX}") from error
