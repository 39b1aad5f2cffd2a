"""Verdicts on worked cases, whose dialect is translated here.

Cases use synonyms for fields and reasons. A ranking case doesn't fix the order of players within a tied group
or of those who left, whether the latter are ranked at all, or the notation of a bonus decided by lot.
Both sides are normalised before they are compared.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from base.errors import BadData, SaloonError
from core.cli.cases import auctions, duels, games, tables, tie_breaks, turn_trace
from core.cli.cases.auctions import MORE_THAN_LIFE, NOT_IN_FRONT, TOO_LITTLE_MONEY
from core.cli.cases.case import Case, Vector, VectorFile, case_of, configured
from core.cli.files import decode
from core.differences import Difference, differences
from core.editions.edition import Edition
from core.game.state.reasons import GameReason

Fields = Mapping[str, object]

_RESULTS: Mapping[str, Callable[[Case], Fields]] = {
    "tables_and_rounds": tables.tables_and_rounds,
    "withdrawals": tables.withdrawals,
    "sheriff_draw": tables.sheriff_draw,
    "scoring": games.scoring,
    "ending": games.ending,
    "high_noon": turn_trace.high_noon,
    "short duel": duels.short_duel,
    "long duel": duels.long_duel,
    "tie_breaks": tie_breaks.tie_breaks,
    "roles": games.roles,
    "life": games.life,
    "life_events": games.life_events,
    "revolution_life": games.revolution_life,
    "penalties": games.penalties,
    "prizes": tables.prizes,
    "schedule": tables.schedule,
    "auction": auctions.auction,
    "experience": auctions.experience,
}
"""The function that computes the result of each kind of case; its keys are those of the expected values."""

_ALSO_CALLED: Mapping[str, frozenset[str]] = {
    NOT_IN_FRONT: frozenset(
        {"card_not_in_front", "no_such_card", "eliminated", "did_not_survive", "no_cards"}
    ),
    TOO_LITTLE_MONEY: frozenset(
        {"not_enough_money", "may_not_spend", "more_than_total", "too_expensive", "insufficient_money"}
    ),
    MORE_THAN_LIFE: frozenset({"too_many_cards", "more_than_life", "above_starting_life", "experience_cap"}),
    GameReason.DUEL_OVER.name.lower(): frozenset({"over", "won", "duel_won", "already_won", "game_over"}),
    GameReason.BEER_IN_A_DUEL.name.lower(): frozenset(
        {"beer_is_only_a_joker", "beer_is_a_joker", "beer_never_heals", "no_beer", "beer_cannot_heal"}
    ),
    GameReason.CHARACTER_FULL.name.lower(): frozenset({"full_life", "at_maximum", "already_full"}),
    GameReason.ALREADY_PICKED.name.lower(): frozenset(
        {"taken", "character_taken", "not_free", "already_taken"}
    ),
    GameReason.PICKS_NOT_NOW.name.lower(): frozenset(
        {"out_of_turn", "not_your_pick", "not_its_turn", "wrong_player"}
    ),
    GameReason.NOT_FACE_UP.name.lower(): frozenset({"not_offered", "unknown_character", "not_available"}),
    GameReason.JAILED_IN_FRONT.name.lower(): frozenset({"jailed", "in_jail", "jail", "character_in_jail"}),
}
"""Synonyms of each reason. Any other word in a case is a remark for human readers."""


def _with_reasons_of(expected: object, actual: object) -> object:
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return {
            key: _reason(value, actual[key])
            if key == "reason" and key in actual
            else _with_reasons_of(value, actual.get(key))
            for key, value in expected.items()
        }
    if isinstance(expected, list) and isinstance(actual, Sequence) and len(expected) == len(actual):
        return [_with_reasons_of(one, other) for one, other in zip(expected, actual, strict=True)]
    return expected


_FIELDS_ALSO_CALLED: Mapping[str, Mapping[str, Sequence[str]]] = {
    "prizes": {"rounds": ("rounds_played", "turns"), "ruleset": ("edition",)},
    "sheriff_draw": {"tables_per_round": ("table_count", "tables_each_round"), "players": ("entrants",)},
    "life_events": {
        "alive_players": ("players_left", "players_alive", "alive"),
        "max_life": ("maximum", "max"),
        "passive": ("abandoned", "left"),
    },
    "experience": {
        "total": ("balance", "money", "dollars", "total_so_far"),
        "starting_life": ("life", "next_starting_life", "next_game_starting_life", "starting_life_points"),
        "cards_in_front": ("in_front", "cards"),
        "wanted": ("keep", "kept", "cards_wanted", "cards_kept", "requested"),
        "sheriff": ("is_sheriff", "next_role_sheriff"),
        "alive": ("survived", "alive_at_end"),
    },
}
_EVENT_FIELDS_ALSO_CALLED: Mapping[str, Mapping[str, Sequence[str]]] = {
    "life_events": {
        "damage": ("hit", "loss", "wound", "wounds", "lose"),
        "beers": ("beer",),
        "saloon": ("saloons", "heal", "gain"),
    },
    "long duel": {
        "choose_front": ("front", "put_in_front", "front_character"),
        "jailed": ("in_jail", "jail"),
    },
}
"""Synonyms of the fields of each kind of input, and of the fields of its events."""


def _in_our_words(data: object, kind: str) -> object:
    if not isinstance(data, dict):
        return data
    fields = _renamed(data, _FIELDS_ALSO_CALLED.get(kind, {}))
    events, synonyms = fields.get("events"), _EVENT_FIELDS_ALSO_CALLED.get(kind)
    if synonyms and isinstance(events, list):
        fields["events"] = [_renamed(one, synonyms) if isinstance(one, dict) else one for one in events]
    return fields


def _renamed(fields: Mapping[str, object], synonyms: Mapping[str, Sequence[str]]) -> dict[str, object]:
    ours = dict(fields)
    for name, others in synonyms.items():
        for other in others:
            if name not in ours and other in ours:
                ours[name] = ours.pop(other)
    return ours


def _reason(expected: object, actual: object) -> object:
    if not isinstance(expected, str) or not isinstance(actual, str):
        return expected
    meant = [reason for reason, others in _ALSO_CALLED.items() if expected in {reason, *others}]
    return actual if not meant or actual in meant else expected


_ONLY_TOLD = {"same_ranking_under"}
"""Fields that list other readings with the same ranking, for human readers; they aren't compared."""


_BY_LOT = {"draw", "by draw", "to be drawn", "lot", "by lot", "open", "undecided"}
"""Words for an amount that is decided by lot."""


def _comparable(expected: Fields, fields: Fields) -> tuple[Fields, Fields]:
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
    entries = [value] if isinstance(value, Mapping) else list(_items(value))
    bonuses: list[tuple[int, list[str]]] = []
    for entry in entries:
        parts = list(entry.values()) if isinstance(entry, Mapping) else list(_items(entry))
        counts = [part for part in parts if isinstance(part, int)]
        bonuses.append((counts[0] if counts else 0, sorted(p for part in parts for p in _texts(part))))
    return sorted(bonuses)


class CaseVerdict(msgspec.Struct, frozen=True):
    """The verdict on one vector. not_there, unreadable: the reason why it couldn't be tried, or ""."""

    vector: str
    differences: tuple[Difference, ...] = ()
    not_there: str = ""
    unreadable: str = ""

    @property
    def passed(self) -> bool:
        return not (self.not_there or self.unreadable or self.differences)


_CANNOT_BE_JUDGED = (SaloonError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError)
"""Errors that malformed input may cause; none of them may stop the cases that follow."""


def verdicts(
    file: VectorFile, editions: tuple[Edition, ...], by: Edition | None = None
) -> tuple[CaseVerdict, ...]:
    """Judge every vector of a file; one that can't be judged gets its reason, and the rest continue."""
    judged = []
    for vector in file.vectors:
        try:
            judged.append(verdict(file, vector, editions, by))
        except BadData as error:
            reason = str(error).removeprefix(file.place(vector)).lstrip(",: ")
            judged.append(CaseVerdict(vector.id, unreadable=reason))
        except _CANNOT_BE_JUDGED as error:
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            judged.append(CaseVerdict(vector.id, unreadable=reason))
    return tuple(judged)


def verdict(
    file: VectorFile, vector: Vector, editions: tuple[Edition, ...], by: Edition | None = None
) -> CaseVerdict:
    """Return the verdict on one vector; an unknown flag in its config counts as a difference.

    by: the rules to judge by, instead of those that the vector names.
    Raises BadData for a vector that can't be read.
    """
    where = file.place(vector)
    data = decode(vector.input, object, where)
    _check_numbers(data, f"{where}, input")
    known = {edition.key: edition for edition in editions}
    if by is not None:
        known = dict.fromkeys([*known, by.key], by)
    case = case_of(file, vector, known)
    not_there = case.not_there or ("" if case.kind in _RESULTS else f"kind not there yet: {case.kind}")
    if not_there:
        return CaseVerdict(vector.id, not_there=not_there)
    if not vector.expected:
        raise BadData(where, "expected is missing: there is nothing to compare with")
    ours = msgspec.Raw(msgspec.json.encode(_in_our_words(data, case.kind)))
    try:
        case = configured(replace(case, input=ours), vector)
    except BadData as error:
        flag = Difference("config", "flags and variants that the edition knows", str(error))
        return CaseVerdict(vector.id, (flag,))
    expected, actual = vector.expected, _RESULTS[case.kind](case)
    if case.kind == "tie_breaks":
        return CaseVerdict(vector.id, differences(*_comparable(expected, actual)))
    return CaseVerdict(vector.id, differences(_with_reasons_of(expected, actual), actual))


_LARGEST = 1_000_000_000


def _check_numbers(value: object, where: str) -> None:
    if isinstance(value, int | float) and abs(value) > _LARGEST:
        raise BadData(where, f"a number is beyond {_LARGEST:,}")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        _check_numbers(part, where)
