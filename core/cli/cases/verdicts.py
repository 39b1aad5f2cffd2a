"""The verdict on a worked case.

A ranking's case leaves some things open: the order of players inside a tied group and of players who left,
whether the ranking lists the latter, and how a bonus is written that only a lot can give. Both sides are
brought into one form before they are compared.
"""

from collections.abc import Iterable, Mapping

import msgspec

from saloon.base.errors import BadData, SaloonError
from saloon.core.cli.cases.kinds import case_of, case_place
from saloon.core.cli.cases.refusals import with_reasons_of
from saloon.core.cli.cases.vectors import Vector, VectorFile, overridden
from saloon.core.cli.files import decode
from saloon.core.differences import Difference, differences
from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import with_options

Fields = Mapping[str, object]

_ONLY_TOLD = {"same_ranking_under"}
"""Other readings that give the same ranking: for people to read, nothing that one reading can show."""


_BY_LOT = {"draw", "by draw", "to be drawn", "lot", "by lot", "open", "undecided"}
"""Words for an amount that only a lot decides."""


def comparable(expected: Fields, found: Fields) -> tuple[Fields, Fields]:
    """Return expected and found values of a ranking's case, each in the same form."""
    left = frozenset(_texts(found["withdrawn"]))
    wanted = {key: value for key, value in expected.items() if key not in _ONLY_TOLD}
    given = dict(found)
    for form in (wanted, given):
        form.update(
            {
                key: in_order
                for key, in_order in (
                    ("ranking", [g for g in map(_group, _items(form.get("ranking"))) if not left >= set(g)]),
                    ("withdrawn", _group(form.get("withdrawn"))),
                    ("draw_groups", sorted(map(_group, _items(form.get("draw_groups"))))),
                )
                if key in form
            }
        )
    given["standings"] = _by_player(found["standings"])
    if "standings" in wanted:
        wanted["standings"] = _without_lots(_by_player(wanted["standings"]), _by_player(found["standings"]))
    if "bonus_by_draw" in wanted:
        wanted["bonus_by_draw"] = _bonuses(wanted["bonus_by_draw"])
    given["bonus_by_draw"] = _bonuses(found["bonus_by_draw"])
    return wanted, given


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list | tuple) else ()


def _texts(value: object) -> Iterable[str]:
    return (str(item) for item in _items(value))


def _group(value: object) -> list[str]:
    return sorted(_texts(value))


def _by_player(rows: object) -> dict[str, Fields]:
    return {str(row["player"]): row for row in _items(rows) if isinstance(row, Mapping) and "player" in row}


def _without_lots(wanted: Mapping[str, Fields], found: Mapping[str, Fields]) -> Mapping[str, Fields]:
    """Return rows whose bonus a lot decides: null, "draw" and a count all mean no bonus yet."""
    open_rows = {player for player, row in found.items() if row["bonus_by_draw"]}
    return {
        player: {
            key: value
            for key, value in row.items()
            if not (player in open_rows and (_is_left_to_a_lot(value) or key == "bonus_by_draw"))
        }
        for player, row in wanted.items()
    }


def _is_left_to_a_lot(value: object) -> bool:
    return value is None or (isinstance(value, str) and value.lower().replace("_", " ") in _BY_LOT)


def _bonuses(value: object) -> list[tuple[int, list[str]]]:
    """Return the number of bonuses among these players, in either notation."""
    entries = [value] if isinstance(value, Mapping) else list(_items(value))
    found: list[tuple[int, list[str]]] = []
    for entry in entries:
        parts = list(entry.values()) if isinstance(entry, Mapping) else list(_items(entry))
        counts = [part for part in parts if isinstance(part, int)]
        found.append((counts[0] if counts else 0, sorted(p for part in parts for p in _texts(part))))
    return sorted(found)


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
    _check_numbers(decode(vector.input, object, where), f"{where}, input")
    known = [edition.key for edition in editions]
    place = case_place(vector, known if by is None else [*known, by.key], where)
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
