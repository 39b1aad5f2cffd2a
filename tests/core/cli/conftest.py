"""A tournament's export: a whole round, one table of it played on a terminal."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from core.characters import Character
from core.cli.cases.case import vector_file
from core.cli.cases.verdicts import CaseVerdict, verdict
from core.cli.main import commands
from core.editions.loader import edition, editions, rules_of
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.ending.winnings import winnings
from core.game.events import GameStep
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.decisions import Undo
from core.game.state.game import Cause, Confirmation, SeatedPlayer
from core.proof.lines import published_rows
from core.rule_set import RecordMode
from core.terms import Role, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.sheets import AcceptSheet, CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.standings.standings import standings_of
from core.tournament.state.rounds import DrawnTable, Round, Source
from core.tournament.state.tournament import Stage, TournamentState, Waivers
from tests.core.game.conftest import ScriptedTable
from tests.core.tournament.conftest import ROLES, Judge, seed, time_was_up

Line = dict[str, object]
GOLDEN = Path(__file__).parent / "golden"


def played_on_a_terminal(
    state: TournamentState, drawn: Round, table: DrawnTable
) -> tuple[list[GameStep], FinishedGame]:
    """Seat 2 shoots the Sheriff at a table with a terminal; a slip is undone on the way.

    A light game has no life points and no turns.
    """
    names = {entrant.player: entrant.name for entrant in state.entrants}
    rules = rules_of(state.rules)
    terminal = ScriptedTable(rules)
    seats = tuple(SeatedPlayer(player, names[player]) for player in table.players)
    terminal.ask(
        SeatTable(table.game, state.tournament, state.name, state.rules, drawn.round, table.table, seats),
        order=1,
    )
    numbers = [SeatNo(number) for number in range(1, len(seats) + 1)]
    terminal.ask(*(CheckIn(seat) for seat in numbers), DealRoles())
    for seat, character in zip(numbers, Character, strict=False):
        terminal.ask(ChooseCharacter(seat, character))
    terminal.ask(BeginGame(), Reshuffle(), Undo(1))
    if state.rules.mode is RecordMode.FULL:
        terminal.ask(EndTurn(), LoseLife(SeatNo(1), 5))
    terminal.ask(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
    terminal.ask(DeclareRoles(ROLES[len(seats)]), ConfirmSheet(Confirmation.PIN))
    return terminal.log, finished_game(terminal.now())


class Exported:
    """The lines of a proof pack, to be spoilt at will; written with bytes, hashes and digests that fit.

    This is the format of docs/reference/export.md made a second time, with nothing of ours but the steps.
    """

    def __init__(self, head: Line, lines: Iterable[Line]) -> None:
        self.lines: list[Line] = [head, *lines]
        self.changed: dict[int, Line] = {}
        """By index: what a line says instead, of which its entry's own bytes know nothing."""

    def written(self, path: Path) -> Path:
        path.write_bytes(b"".join(self.texts()))
        return path

    def texts(self) -> list[bytes]:
        previous, streams = bytes(32), dict[tuple[object, object], bytes]()
        texts: list[bytes] = []
        foot: Line = {"kind": "foot", "lines": len(self.lines) + 1}
        for number, line in enumerate([*self.lines, foot], start=1):
            whole = line | {"line": number}
            if "step" in line:
                clock = [1, 1000 * number, line["wall_ms"], False]
                raw = msgspec.msgpack.encode([clock, line["step"]])
                key = (line["stream"], line["epoch"])
                streams[key] = hashlib.sha256(streams.get(key, bytes(32)) + raw).digest()
                whole |= {"raw": base64.b64encode(raw).decode(), "hash": streams[key].hex()}
            elif line["kind"] == "left-out":
                streams[line["stream"], line["epoch"]] = bytes.fromhex(str(line["hash"]))
            whole |= self.changed.get(number - 1, {})
            bound = json.dumps(whole, ensure_ascii=False).encode()[:-1]
            previous = hashlib.sha256(previous + bound).digest()
            texts.append(bound + b',"chain":"' + previous.hex().encode() + b'"}\n')
        return texts


def head(judge: Judge) -> Line:
    state = judge.state
    return {
        "kind": "saloon-export",
        "version": 2,
        "tournament": state.tournament,
        "name": state.name,
        "rules": msgspec.to_builtins(state.rules),
    }


def entry(kind: str, place: Line, seq: int, step: object) -> Line:
    time = {"seq": seq, "wall_ms": 1_793_214_000_000 + seq}
    return {"kind": kind, **place, **time, "step": msgspec.to_builtins(step)}


def tournament_lines(judge: Judge) -> list[Line]:
    place: Line = {"stream": "tournament/open", "epoch": "5" * 16}
    return [entry("tournament-step", place, seq, step) for seq, step in enumerate(judge.steps, start=1)]


def game_lines(steps: Sequence[GameStep], stream: str = "table/a") -> list[Line]:
    """Behind five entries of another tournament's game."""
    place: Line = {"stream": stream, "epoch": "0" * 16}
    left_out: Line = {"kind": "left-out", **place, "first": 1, "seq": 5, "hash": "ab" * 32}
    lines: list[Line] = [entry("game-step", place, seq, step) for seq, step in enumerate(steps, start=6)]
    return [left_out, *lines]


def published_lines(judge: Judge) -> list[Line]:
    """Return a station's lines about the accepted sheets and the ranking."""
    rules = rules_of(judge.state.rules)
    paid: list[Line] = [
        {"kind": "winnings", "game": sheet.game, "winnings": list(winnings(sheet.result, rules))}
        for drawn in judge.state.published_rounds
        for sheet in drawn.sheets
    ]
    rows = msgspec.to_builtins(published_rows(standings_of(judge.state, rules)))
    public = judge.state.stage is Stage.PUBLISHED
    return [*paid, {"kind": "standings", "public": public, "rows": rows}]


def pack_of(judge: Judge, *games: list[Line]) -> Exported:
    lines = [line for game in games for line in game]
    return Exported(head(judge), [*tournament_lines(judge), *lines, *published_lines(judge)])


def whole_tournament(mode: RecordMode = RecordMode.FULL) -> tuple[Judge, list[GameStep]]:
    """Ten players, one round: table 1 on a terminal, table 2 on paper, ties drawn, ranking public."""
    judge = Judge(edition("championship-2022"), mode).opens(10, Waivers(rounds=1))
    drawn = judge.publishes()
    first, second = drawn.tables
    steps, result = played_on_a_terminal(judge.state, drawn, first)
    judge.does(AcceptSheet(first.game, result, Source.TERMINAL))
    judge.accepts(second)
    judge.does(DrawLots(seed("lots")))
    judge.does(PublishRanking())
    return judge, steps


@pytest.fixture
def exported() -> Exported:
    judge, steps = whole_tournament()
    return pack_of(judge, game_lines(steps))


def corrected_by_protest() -> tuple[Exported, DrawnTable]:
    """A pack in which the sheet of the table with a terminal was corrected after a protest; that table."""
    judge, steps = whole_tournament()
    judge.does(UndoSteps(2, "protest"))
    drawn = judge.state.rounds[0]
    table = drawn.tables[0]
    judge.does(CorrectSheet(table.game, time_was_up(drawn, table), "time was up before the shot"))
    return pack_of(judge, game_lines(steps)), table


Fields = dict[str, object]


def written(folder: Path, *vectors: Fields) -> Path:
    """Worked cases in a file."""
    path = folder / "cases.json"
    path.write_text(json.dumps({"vectors": vectors}))
    return path


def golden(file: str, case_id: str) -> dict[str, Any]:
    cases = json.loads((GOLDEN / f"{file}.json").read_text(encoding="utf-8"))["vectors"]
    wanted: dict[str, Any] = next(case for case in cases if case["id"] == case_id)
    return wanted


def verdicts_on(path: Path) -> list[CaseVerdict]:
    """Return the verdicts on a file's cases; raise the error of the first that can't be read."""
    file = vector_file(path)
    for error in file.unreadable:
        raise error
    return [verdict(file, vector, editions()) for vector in file.vectors]


Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run a command; what it cannot read comes out as the exception."""

    def ran(*arguments: str | Path) -> Result:
        return CliRunner().invoke(commands, [str(argument) for argument in arguments])

    return ran
