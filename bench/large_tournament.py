"""A tournament of 10,000 players and five rounds: draw, standings, replay, and how their times grow.

The peers do only the necessary work without rules: arrays of numbers for the standings, hashes for the draw,
decoding for the replay.
"""

import gc
from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from time import process_time

import msgspec
from msgspec.structs import replace

from bench.figure import Effort, Figure, Measurement
from bench.hall.played_games import played_log
from core.editions.edition import Edition, TieBreak
from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.events import GameStep
from core.game.timeline import fold as game_fold
from core.rule_set import RuleSet
from core.terms import Dollars, PlayerId, Role, RoundNo, TournamentId
from core.tournament.decisions import TournamentDecision, TournamentStep
from core.tournament.draw.draw_algorithm import Candidate, DrawKey, draw
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.rounds import table_sizes
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ledger import Contender, GameResult, accepted_results, contenders
from core.tournament.standings.standings import standings, standings_of
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Player, Waivers
from core.tournament.timeline import fold as tournament_fold

PLAYERS = 10_000
ROUNDS = 5
TABLE = 5
LOGS = 40
_TIMES = 5
_SEED = "ab" * 32
_ROLES = (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE)
_PAYOUT = (1200, 0, 1200, 0, 250)


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of each part for 10,000 players, and of its growth when the players double."""
    rules = edition("championship-2022")
    buchholz = replace(rules, tie_breaks=(TieBreak.BUCHHOLZ, TieBreak.LOT), bonus=())
    # Half of the players must fill tables of five, too.
    players = effort.count(PLAYERS // (2 * TABLE), 10) * 2 * TABLE
    return (
        Measurement("draw of a round", lambda: _draws(rules, players)),
        Measurement("standings with Marogi", lambda: _standings("Marogi", rules, players, averaged=True)),
        Measurement(
            "standings with Buchholz", lambda: _standings("Buchholz", buchholz, players, averaged=False)
        ),
        Measurement("standings from record sheets", lambda: [_from_sheets(rules, players)]),
        Measurement("fold of a tournament's log", lambda: _tournament_logs(rules, players)),
        Measurement("replay of games", lambda: [_replay(players)]),
    )


def _draws(rules: Edition, most: int) -> Sequence[Figure]:
    def drawn(players: int) -> None:
        key = DrawKey(TournamentId("bench"), RoundNo(1), 1, _SEED, "cactus")
        candidates = [Candidate(PlayerId(f"p{number}"), 0) for number in range(players)]
        draw(key, candidates, table_sizes(players, rules))

    def hashed() -> None:
        for number in range(most):
            int.from_bytes(sha256(f"{_SEED}:cactus:1/1:{number}".encode()).digest(), "big")

    return _figures("draw of a round", most, drawn, hashed, "its SHA-256 numbers alone")


def _games(players: int, chance: Random) -> list[list[int]]:
    """Return tables of five for each of five rounds, by the players' numbers."""
    tables = []
    for _ in range(ROUNDS):
        everybody = chance.sample(range(players), players)
        tables += [everybody[first : first + TABLE] for first in range(0, players, TABLE)]
    return tables


def _standings(name: str, rules: Edition, most: int, *, averaged: bool) -> Sequence[Figure]:
    made: dict[int, tuple[list[GameResult], list[Contender], list[list[int]], list[list[int]]]] = {}

    def prepared(players: int) -> tuple[list[GameResult], list[Contender], list[list[int]], list[list[int]]]:
        if players not in made:
            chance = Random(players)
            tables = _games(players, chance)
            paid = [chance.sample(_PAYOUT, TABLE) for _ in tables]
            names = [PlayerId(f"p{number}") for number in range(players)]
            results = [
                GameResult(
                    players=tuple(names[number] for number in table),
                    winners=(names[table[0]], names[table[2]]),
                    payout=tuple(Dollars(amount) for amount in payout),
                    roles=_ROLES,
                )
                for table, payout in zip(tables, paid, strict=True)
            ]
            made[players] = (results, [Contender(player) for player in names], tables, paid)
        return made[players]

    def ours(players: int) -> None:
        results, contenders, _, _ = prepared(players)
        standings(results, contenders, rules)

    def dense() -> None:
        _, _, tables, paid = prepared(most)
        scores, met = [0] * most, [0] * most
        for table, payout in zip(tables, paid, strict=True):
            for player, amount in zip(table, payout, strict=True):
                scores[player] += amount
        for table in tables:
            together = sum(scores[player] for player in table)
            for player in table:
                met[player] += together - scores[player]
        faced = ROUNDS * (TABLE - 1) if averaged else 1
        sorted(range(most), key=lambda player: (-scores[player], -met[player] / faced))

    for players in (most // 2, most):
        prepared(players)
    return _figures(f"standings with {name}", most, ours, dense, "bare arrays of numbers")


def _from_sheets(rules: Edition, players: int) -> Figure:
    """Rank all players after another accepted sheet, as a page does after each acceptance."""
    log = _tournament_log(players, rules)
    earlier, later = tournament_fold(log[:-1]), tournament_fold(log)
    assert earlier is not None  # each log opens the tournament
    assert later is not None
    state = later.state
    standings_of(earlier.state, rules)
    after_one = _seconds(lambda: standings_of(state, rules))
    results, entrants = accepted_results(state, rules), contenders(state)
    bare = min(_seconds(lambda: standings(results, entrants, rules)) for _ in range(_TIMES))
    return Figure(
        f"standings from record sheets after one more, {players:,} players",
        "ms",
        after_one * 1000,
        "the ranking alone",
        bare * 1000,
    )


def _tournament_logs(rules: Edition, most: int) -> Sequence[Figure]:
    logs = {players: _tournament_log(players, rules) for players in (most // 2, most)}
    written = [msgspec.msgpack.encode(step) for step in logs[most]]

    def decoded() -> None:
        for body in written:
            msgspec.msgpack.decode(body, type=TournamentStep)

    return _figures(
        "fold of a tournament's log",
        most,
        lambda players: tournament_fold(logs[players]),
        decoded,
        "decoding it",
    )


def _tournament_log(players: int, rules: Edition) -> list[TournamentStep]:
    """Return the log of registration, five rounds and all sheets, as the station writes it."""
    opened = OpenTournament(
        TournamentId("bench"), "Bench", RuleSet(rules.key), "2026-11-20", Waivers(), "Judge"
    )
    joined = tuple(Player(PlayerId(f"p{number}"), f"Player {number}") for number in range(players))
    parts: list[tuple[TournamentDecision, ...]] = [(opened,), (RegisterPlayers(joined, "Judge"),)]
    times = [Candidate(player.player, 0) for player in joined]
    results = [_finished(number) for number in range(LOGS)]
    for number in range(1, ROUNDS + 1):
        key = DrawKey(TournamentId("bench"), RoundNo(number), 1, _SEED, "")
        tables = draw(key, times, table_sizes(players, rules)).tables
        sheriffs = {table.players[0] for table in tables}
        times = [Candidate(one.player, one.times_sheriff + (one.player in sheriffs)) for one in times]
        round_no = RoundNo(number)
        parts.append((SealDraw(round=round_no, attempt=1, seed=_SEED, seal=_SEED, by="Judge"),))
        parts.append(
            (
                MakeDraw(
                    round=round_no, attempt=1, hall_word="", tables=tables, repeated_sheriffs=(), by="Judge"
                ),
            )
        )
        parts.append((PublishDraw(round_no, "Judge", ROUNDS),))
        for table in tables:
            result = replace(
                results[table.table % LOGS], round=round_no, table=table.table, players=table.players
            )
            parts.append((AcceptSheet(table.game, result, Source.TERMINAL, "Judge"),))
    return [TournamentStep(TournamentId("bench"), part, "2026-11-20T19:00:00Z") for part in parts]


def _finished(number: int) -> FinishedGame:
    played = game_fold(played_log(number, TABLE))
    assert played is not None  # a log seats its table
    return finished_game(played.state)


def _replay(games: int) -> Figure:
    """Replay 10,000 games from their bytes, as a station or an auditor does."""
    written = [[msgspec.msgpack.encode(step) for step in played_log(number, TABLE)] for number in range(LOGS)]
    times = max(1, games // LOGS)

    def decoded() -> list[list[GameStep]]:
        return [[msgspec.msgpack.decode(body, type=GameStep) for body in log] for log in written]

    def replayed() -> None:
        for log in decoded():
            game_fold(log)

    ours = min(_seconds(replayed) for _ in range(_TIMES)) * times
    peer = min(_seconds(decoded) for _ in range(_TIMES)) * times
    steps = sum(len(log) for log in written) * times
    return Figure(f"replay of {times * LOGS:,} games, {steps:,} steps", "s", ours, "decoding them", peer)


def _figures(
    what: str, most: int, ours: Callable[[int], object], peer: Callable[[], object], peer_name: str
) -> Sequence[Figure]:
    half = min(_seconds(lambda: ours(most // 2)) for _ in range(_TIMES))
    whole = min(_seconds(lambda: ours(most)) for _ in range(_TIMES))
    beside = min(_seconds(peer) for _ in range(_TIMES))
    return (
        Figure(f"{what}, {most:,} players", "ms", whole * 1000, peer_name, beside * 1000),
        Figure(f"{what}: time for twice the players", "times", whole / half, "in proportion", 2.0),
    )


def _seconds(action: Callable[[], object]) -> float:
    """Return the processor seconds of an action, without garbage collection.

    Other programs hardly affect processor time. Garbage collection would depend on earlier objects rather
    than on the action.
    """
    gc.collect()
    gc.disable()
    try:
        start = process_time()
        action()
        return process_time() - start
    finally:
        gc.enable()
