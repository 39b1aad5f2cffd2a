"""Cases of rounds, table chart, withdrawals and the draw of Sheriffs."""

import re
from collections.abc import Mapping

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.errors import BadData, Refused
from saloon.core.program.files import decoded
from saloon.core.program.vectors import Vector
from saloon.core.terms import PlayerId, RoundNo, TournamentId
from saloon.core.tournament.draw import Candidate, DrawKey, draw
from saloon.core.tournament.events import Waivers
from saloon.core.tournament.rounds import planned_rounds
from saloon.core.tournament.table_chart import table_sizes

_SEED = "0" * 64
"""Which players a draw chooses does not matter here, only from whom."""


class _Players(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int


class _Withdrawals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players_at_start: int
    withdrawn_before_round: tuple[int, ...]


def tables_and_rounds(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Rounds, table sizes and Sheriffs needed, or the reason why there are none."""
    players = decoded(vector.input, _Players, f"{where}, input").players
    try:
        rounds = planned_rounds(players, edition, Waivers())
        sizes = table_sizes(players, edition)
    except Refused as refusal:
        return {"error": refusal.reason.name.lower()}
    return {
        "rounds": rounds,
        "tables": sizes,
        "table_count": len(sizes),
        "sheriffs_needed_all_rounds": rounds * len(sizes),
    }


def withdrawals(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """The tables of each round after withdrawals, up to a refusal if there is one."""
    given = decoded(vector.input, _Withdrawals, f"{where}, input")
    players = given.players_at_start
    tables: list[tuple[int, ...]] = []
    rounds = None
    try:
        rounds = planned_rounds(players, edition, Waivers())
        for withdrawn in given.withdrawn_before_round:
            players -= withdrawn
            tables.append(table_sizes(players, edition, below_minimum=bool(tables)))
    except Refused as refusal:
        found: dict[str, object] = {"tables_by_round": tables, "error": refusal.reason.name.lower()}
        return found if rounds is None else {"rounds": rounds, **found}
    return {"rounds": rounds, "tables_by_round": tables}


def sheriff_draw(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """How many Sheriffs of a draw were never Sheriff, and how many must be it again."""
    given = decoded(vector.input, dict[str, msgspec.Raw], f"{where}, input")
    sizes = decoded(_needed(given, "tables", where), tuple[int, ...], f"{where}, input.tables")
    fresh = decoded(_needed(given, "not_yet_sheriff", where), int, f"{where}, input.not_yet_sheriff")
    players = sum(sizes)
    round_no = 1
    for name in given:
        counted = re.fullmatch(r"players(?:_before_round_(\d+))?", name)
        if counted is not None:
            round_no = int(counted[1] or round_no)
            if decoded(given[name], int, f"{where}, input.{name}") != players:
                raise BadData(f"{where}, input.{name}", f"the tables seat {players} players")
    if not 0 <= fresh <= players:
        raise BadData(f"{where}, input.not_yet_sheriff", f"there are {players} players")
    key = DrawKey(TournamentId("case"), RoundNo(round_no), 1, _SEED, "")
    before = 1 if edition.tables.sheriff_once else 0
    candidates = [Candidate(PlayerId(str(n)), 0 if n < fresh else before) for n in range(players)]
    drawn = draw(key, candidates, sizes)
    repeated = len(drawn.repeated_sheriffs)
    return {
        "sheriffs_from_not_yet": len(sizes) - repeated,
        "sheriffs_repeated": repeated,
        "judge_notice": repeated > 0,
    }


def _needed(given: Mapping[str, msgspec.Raw], key: str, where: str) -> msgspec.Raw:
    if key not in given:
        raise BadData(f"{where}, input.{key}", "this key is missing")
    return given[key]
