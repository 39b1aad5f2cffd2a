"""The program that an end runs, as sent in its hello and stored in its tree."""

import tomllib
from typing import Annotated, Final

import msgspec

from base.errors import BadData

LARGEST_WORD: Final = 40
_WORD = Annotated[str, msgspec.Meta(max_length=LARGEST_WORD, pattern=r"^[0-9A-Za-z.+~-]*\Z")]
_MOST_MADE = 2**40


class About(msgspec.Struct, frozen=True, array_like=True):
    """A version of Saloon, and its platform.

    version: for display.
    build: the commit, short.
    made: time of that commit, seconds since 1970; of two builds of one version the later is the newer.
    architecture: Debian's name (arm64, amd64).
    base: the image below, which only a new card changes, or empty if updates are not for it.
    """

    version: _WORD
    build: _WORD = ""
    made: Annotated[int, msgspec.Meta(ge=0, le=_MOST_MADE)] = 0
    architecture: _WORD = ""
    base: _WORD = ""

    @property
    def name(self) -> str:
        """The name for display: version and build."""
        return f"{self.version}-{self.build}" if self.build else self.version


def is_newer(one: About, other: About) -> bool:
    """Return whether one version is newer than another: by its numbers, then by its build time."""
    return (numbers_of(one.version), one.made) > (numbers_of(other.version), other.made)


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, for comparison."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if digits:
            numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)


def about_of(data: bytes, where: str) -> tuple[About, str]:
    """Parse a program tree's file ``release``, and return its version and the kind of machine.

    Unknown keys are ignored. Raises BadData naming ``where``.
    """
    try:
        release = msgspec.convert(tomllib.loads(data.decode()), _Release)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadData(where, f"this does not say which program it is: {error}") from error
    return About(release.version, release.commit, release.made, release.architecture), release.kind


class _Release(msgspec.Struct, frozen=True):
    version: _WORD
    commit: _WORD = ""
    made: Annotated[int, msgspec.Meta(ge=0, le=_MOST_MADE)] = 0
    architecture: _WORD = ""
    kind: str = ""
