"""Verdicts on worked cases.

A ranking's case doesn't fix the order of players inside a tied group or of those who left, whether the
latter are ranked at all, and the notation of a bonus that is decided by lot. Both sides are normalised
before they are compared.
"""

from collections.abc import Iterable, Mapping

import msgspec

from base.errors import BadData, SaloonError
from core.cli.cases.kinds import case_of, case_place
from core.cli.cases.refusals import with_reasons_of
from core.cli.cases.vectors import Vector, VectorFile, overridden
from core.cli.files import decode
from core.differences import Difference, differences
from core.editions.edition import Edition
from core.editions.loader import with_options

Fields = Mapping[str, object]

_ONLY_TOLD = {"same_ranking_under"}
"""Fields that list other readings with the same ranking, for human readers; they aren't compared."""


_BY_LOT = {"draw", "by draw", "to be drawn", "lot", "by lot", "open", "undecided"}
"""Words for an amount that is decided by lot."""


def comparable(expected: Fields, fields: Fields) -> tuple[Fields, Fields]:
    """Return the expected and found values of a ranking's case in a common form."""
    left = frozenset(_texts(fields["withdrawn"]))
    wanted = {key: value for key, value in expected.items() if key not in _ONLY_TOLD}
    actual = dict(fields)
    for form in (wanted, actual):
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
    actual["standings"] = _by_player(fields["standings"])
    if "standings" in wanted:
        wanted["standings"] = _without_lots(_by_player(wanted["standings"]), _by_player(fields["standings"]))
    if "bonus_by_draw" in wanted:
        wanted["bonus_by_draw"] = _bonuses(wanted["bonus_by_draw"])
    actual["bonus_by_draw"] = _bonuses(fields["bonus_by_draw"])
    return wanted, actual


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list | tuple) else ()


def _texts(value: object) -> Iterable[str]:
    return (str(item) for item in _items(value))


def _group(value: object) -> list[str]:
    return sorted(_texts(value))


def _by_player(rows: object) -> dict[str, Fields]:
    return {str(row["player"]): row for row in _items(rows) if isinstance(row, Mapping) and "player" in row}


def _without_lots(wanted: Mapping[str, Fields], actual: Mapping[str, Fields]) -> Mapping[str, Fields]:
    """Return the expected rows without bonuses that are decided by lot, which cases write in several ways."""
    open_rows = {player for player, row in actual.items() if row["bonus_by_draw"]}
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
    """Return pairs of a number of bonuses and the players eligible for them, from either notation."""
    entries = [value] if isinstance(value, Mapping) else list(_items(value))
    bonuses: list[tuple[int, list[str]]] = []
    for entry in entries:
        parts = list(entry.values()) if isinstance(entry, Mapping) else list(_items(entry))
        counts = [part for part in parts if isinstance(part, int)]
        bonuses.append((counts[0] if counts else 0, sorted(p for part in parts for p in _texts(part))))
    return sorted(bonuses)


class CaseVerdict(msgspec.Struct, frozen=True):
    """The verdict on one vector.

    ``not_there`` or ``unreadable`` gives the reason if it couldn't be tried; otherwise both are empty.
    """

    vector: str
    differences: tuple[Difference, ...] = ()
    not_there: str = ""
    unreadable: str = ""

    @property
    def passed(self) -> bool:
        """Return whether the vector was tried and matches."""
        return not (self.not_there or self.unreadable or self.differences)


_CANNOT_BE_JUDGED = (SaloonError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""Errors that malformed input may cause; none of them may stop the cases that follow."""


def verdicts(
    file: VectorFile, editions: tuple[Edition, ...], by: Edition | None = None
) -> tuple[CaseVerdict, ...]:
    """Judge every vector of a file; one that can't be judged gets its reason, and the rest continue."""
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
    """Return the verdict on one vector; an unknown flag in its config counts as a difference.

    ``by`` gives the rules to judge by instead of those that the vector names. Raises BadData for a vector
    that can't be read.
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
    expected, actual = vector.expected, case_of(place.kind)(vector, read, where)
    if place.kind == "tie_breaks":
        return CaseVerdict(vector.id, differences(*comparable(expected, actual)))
    return CaseVerdict(vector.id, differences(with_reasons_of(expected, actual), actual))


_LARGEST = 1_000_000_000


def _check_numbers(value: object, where: str) -> None:
    """Raise BadData for numbers so large that the rules would loop almost forever."""
    if isinstance(value, int | float) and abs(value) > _LARGEST:
        raise BadData(where, f"a number is beyond {_LARGEST:,}")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        _check_numbers(part, where)
