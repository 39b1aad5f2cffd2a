"""Worked cases of rounds, table chart, withdrawals, the draw of Sheriffs, prizes, and one-group schedules."""

import re
from collections.abc import Mapping

import msgspec

from base.errors import BadData, Refused
from core.cli.cases.case import Case
from core.cli.files import decode
from core.editions.edition import Edition
from core.terms import PlayerId, RoundNo, TournamentId
from core.tournament.draw.draw_algorithm import Candidate, DrawKey, draw
from core.tournament.draw.rounds import planned_rounds, table_sizes
from core.tournament.standings.ledger import prizes as prizes_of
from core.tournament.state.tournament import Waivers


class _Rounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int
    ruleset: str = ""


class _Group(msgspec.Struct, frozen=True):
    players: int
    cycles: int = 1
    games: int | None = None


def prizes(case: Case) -> Mapping[str, object]:
    """Return dollars by place, first place first: prizes of the finals, or bonuses of the ranking.

    Source: Championship 2010 v1.1, 1.2; Championship 2022/23 v1.4, 1.2.
    """
    rounds = case.read(_Rounds).rounds
    by_place: tuple[int, ...] = case.edition.bonus
    if case.edition.finals is not None:
        by_place = prizes_of(case.edition.finals, rounds)
    elif not case.edition.bonus:
        raise BadData(case.where, f"{case.edition.key} has neither prizes nor bonuses")
    return dict.fromkeys(("by_place", "prizes", "bonuses", "bonus", "amounts"), by_place)


def schedule(case: Case) -> Mapping[str, object]:
    """Return the number of games, how often each player is Sheriff, and whether a given number is valid."""
    data = case.read(_Group)
    try:
        least = planned_rounds(data.players, case.edition, Waivers(cycles=1))
        planned = planned_rounds(data.players, case.edition, Waivers(cycles=data.cycles))
    except Refused as refusal:
        return {"error": refusal.reason.name.lower()}
    games = planned if data.games is None else data.games
    return {
        "games": games,
        **dict.fromkeys(("minimum_games", "at_least", "least_games"), least),
        **dict.fromkeys(("games_must_be_multiple_of", "multiple_of", "games_multiple_of"), least),
        "sheriff_each": games // least,
        "valid": games >= least and games % least == 0,
    }


_SEED = "0" * 64
"""A fixed seed: the cases only ask which players may be drawn."""


class _Players(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int


class _Withdrawals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players_at_start: int
    withdrawn_before_round: tuple[int, ...]


def tables_and_rounds(case: Case) -> Mapping[str, object]:
    """Return rounds, table sizes and Sheriffs needed, or the reason why no tables are possible."""
    players = case.read(_Players).players
    try:
        rounds = planned_rounds(players, case.edition, Waivers())
        sizes = table_sizes(players, case.edition)
    except Refused as refusal:
        return {"error": refusal.reason.name.lower()}
    return {
        "rounds": rounds,
        "tables": sizes,
        "table_count": len(sizes),
        "sheriffs_needed_all_rounds": rounds * len(sizes),
    }


def withdrawals(case: Case) -> Mapping[str, object]:
    """Return the tables of each round after withdrawals, up to a refusal if there is one."""
    data = case.read(_Withdrawals)
    players = data.players_at_start
    tables: list[tuple[int, ...]] = []
    rounds = None
    try:
        rounds = planned_rounds(players, case.edition, Waivers())
        for withdrawn in data.withdrawn_before_round:
            players -= withdrawn
            tables.append(table_sizes(players, case.edition, below_minimum=bool(tables)))
    except Refused as refusal:
        refused: dict[str, object] = {"tables_by_round": tables, "error": refusal.reason.name.lower()}
        return refused if rounds is None else {"rounds": rounds, **refused}
    return {"rounds": rounds, "tables_by_round": tables}


class _WholeTournament(msgspec.Struct, frozen=True):
    players: int
    rounds: int | None = None
    tables_per_round: int | None = None


_DRAWS_TRIED = 40
"""The number of seeds tried for a whole tournament, since the rule must hold for every draw."""


def sheriff_draw(case: Case) -> Mapping[str, object]:
    """Return how often players are Sheriff, in one round of given tables or over all rounds."""
    data = case.read(dict[str, msgspec.Raw])
    if "not_yet_sheriff" not in data and "tables" not in data:
        return _sheriffs_of_a_tournament(case)
    return _sheriffs_of_a_round(data, case.edition, case.where)


def _sheriffs_of_a_tournament(case: Case) -> Mapping[str, object]:
    data = case.read(_WholeTournament)
    try:
        rounds = planned_rounds(data.players, case.edition, Waivers()) if data.rounds is None else data.rounds
        sizes = table_sizes(data.players, case.edition)
    except Refused as refusal:
        return {"error": refusal.reason.name.lower()}
    if data.tables_per_round not in (None, len(sizes)):
        raise BadData(
            f"{case.where}, input.tables_per_round", f"{data.players} players make {len(sizes)} tables"
        )
    counts = {
        count
        for seed in range(_DRAWS_TRIED)
        for count in _times_sheriff(f"{seed:064x}", data.players, rounds, sizes)
    }
    times = counts.pop() if len(counts) == 1 else sorted(counts)
    most = max(counts) if counts else times
    return {
        "each_player_sheriff_times": times,
        "max_sheriff_per_player": most,
        "min_sheriff_per_player": min(counts) if counts else times,
        "total_sheriffs": rounds * len(sizes),
    }


def _times_sheriff(seed: str, players: int, rounds: int, sizes: tuple[int, ...]) -> list[int]:
    times = {PlayerId(str(number)): 0 for number in range(players)}
    for round_no in range(1, rounds + 1):
        key = DrawKey(TournamentId("case"), RoundNo(round_no), 1, seed, "")
        drawn = draw(key, [Candidate(player, count) for player, count in times.items()], sizes)
        for table in drawn.tables:
            times[table.players[0]] += 1
    return list(times.values())


def _sheriffs_of_a_round(
    data: Mapping[str, msgspec.Raw], edition: Edition, where: str
) -> Mapping[str, object]:
    sizes = decode(_required_key(data, "tables", where), tuple[int, ...], f"{where}, input.tables")
    fresh = decode(_required_key(data, "not_yet_sheriff", where), int, f"{where}, input.not_yet_sheriff")
    players = sum(sizes)
    round_no = 1
    for name in data:
        counted = re.fullmatch(r"players(?:_before_round_(\d+))?", name)
        if counted is not None:
            round_no = int(counted[1] or round_no)
            if decode(data[name], int, f"{where}, input.{name}") != players:
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


def _required_key(data: Mapping[str, msgspec.Raw], key: str, where: str) -> msgspec.Raw:
    if key not in data:
        raise BadData(f"{where}, input.{key}", "this key is missing")
    return data[key]
