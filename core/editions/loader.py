"""Editions from their TOML files, checked strictly.

What a file gets wrong is a ``BadData`` that names the file, the line where it can be told, the
key, what was found and what is allowed.
"""

import tomllib
from functools import cache
from importlib import resources

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.editions.toml_faults import explained
from saloon.core.errors import BadData


def read_edition(text: str, where: str) -> Edition:
    """The edition that a TOML text describes. where: names the text in errors, such as its file.

    Raises BadData.
    """
    try:
        found: dict[str, object] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadData(where, f"this is not TOML: {error}") from error
    try:
        return msgspec.convert(found, Edition, strict=True)
    except msgspec.ValidationError as error:
        raise explained(error, where=where, text=text, found=found) from error


@cache
def editions() -> tuple[Edition, ...]:
    """All editions that come with Saloon, by key. Raises BadData should a packaged file be damaged."""
    files = sorted(
        (
            entry
            for entry in resources.files("saloon.core.editions").iterdir()
            if entry.name.endswith(".toml")
        ),
        key=lambda entry: entry.name,
    )
    known = tuple(read_edition(entry.read_text(encoding="utf-8"), entry.name) for entry in files)
    for entry, read in zip(files, known, strict=True):
        if entry.name != f"{read.key}.toml":
            raise BadData(entry.name, f"key is {read.key!r}; it must be the file's name without .toml")
    return known


def edition(key: str) -> Edition:
    """The edition with this key, such as ``championship-2022``. Raises BadData for an unknown one."""
    for known in editions():
        if known.key == key:
            return known
    allowed = ", ".join(known.key for known in editions())
    raise BadData("edition", f"there is no edition {key!r}; allowed: {allowed}")
