"""The verdict on a worked case."""

import msgspec

from saloon.base.errors import BadData, SaloonError
from saloon.core.cli.cases.kinds import case_of, placed
from saloon.core.cli.cases.overrides import overridden
from saloon.core.cli.cases.ranking_order import comparable
from saloon.core.cli.cases.refusals import with_reasons_of
from saloon.core.cli.cases.vectors import Vector, VectorFile
from saloon.core.cli.files import decoded
from saloon.core.differences import Difference, differences
from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import with_options


class CaseVerdict(msgspec.Struct, frozen=True):
    """One vector's verdict. not_there, unreadable: why it was not tried, "" when it was."""

    vector: str
    differences: tuple[Difference, ...] = ()
    not_there: str = ""
    unreadable: str = ""

    @property
    def passed(self) -> bool:
        """Return whether it was tried and nothing differs."""
        return not (self.not_there or self.unreadable or self.differences)


_CANNOT_BE_JUDGED = (SaloonError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""Errors that a case can cause with input nobody thought of; none may hide the cases after it."""


def verdicts(
    file: VectorFile, editions: tuple[Edition, ...], by: Edition | None = None
) -> tuple[CaseVerdict, ...]:
    """Judge every vector of a file; report one that cannot be judged with its reason, and go on."""
    return tuple(_verdict_or_reason(file, vector, editions, by) for vector in file.vectors)


def _verdict_or_reason(
    file: VectorFile, vector: Vector, editions: tuple[Edition, ...], by: Edition | None
) -> CaseVerdict:
    try:
        return verdict(file, vector, editions, by)
    except BadData as error:
        return CaseVerdict(vector.id, unreadable=str(error).removeprefix(file.place(vector)).lstrip(",: "))
    except _CANNOT_BE_JUDGED as error:
        return CaseVerdict(vector.id, unreadable=f"{type(error).__name__}: {error}".rstrip(": "))


def verdict(
    file: VectorFile, vector: Vector, editions: tuple[Edition, ...], by: Edition | None = None
) -> CaseVerdict:
    """Return the verdict on one vector; a flag of its config that is unknown is a difference.

    by: rules to judge by instead of those that the vector names.
    Raises BadData for a vector that cannot be read.
    """
    where = file.place(vector)
    _check_numbers(decoded(vector.input, object, where), f"{where}, input")
    known = [edition.key for edition in editions]
    place = placed(vector, known if by is None else [*known, by.key], where)
    if place.not_there:
        return CaseVerdict(vector.id, not_there=place.not_there)
    edition = by or next(edition for edition in editions if edition.key == place.edition_key)
    if not vector.expected:
        raise BadData(where, "expected is missing: there is nothing to compare with")
    try:
        options = (*edition.chosen, *place.options)
        read = overridden(with_options(edition, options, where), vector.config, where)
    except BadData as error:
        flag = Difference("config", "flags and variants that the edition knows", str(error))
        return CaseVerdict(vector.id, (flag,))
    expected, found = vector.expected, case_of(place.kind)(vector, read, where)
    if place.kind == "tie_breaks":
        return CaseVerdict(vector.id, differences(*comparable(expected, found)))
    return CaseVerdict(vector.id, differences(with_reasons_of(expected, found), found))


_LARGEST = 1_000_000_000


def _check_numbers(value: object, where: str) -> None:
    """Raise BadData for a number so large that counting to it would never end."""
    if isinstance(value, int | float) and abs(value) > _LARGEST:
        raise BadData(where, f"a number is beyond {_LARGEST:,}")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        _check_numbers(part, where)
