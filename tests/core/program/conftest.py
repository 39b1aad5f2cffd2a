"""A tournament's export: a whole round, one table of it played on a terminal."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from tests.core.game.conftest import ScriptedTable
from tests.core.tournament.conftest import ROLES, Judge, seed

from saloon.core.editions import edition, rules_of
from saloon.core.game import commands as c
from saloon.core.game.characters import Character
from saloon.core.game.events import Cause, Confirmation, GameStep, SeatedPlayer
from saloon.core.game.finished import FinishedGame, finished_game
from saloon.core.game.roles import Role
from saloon.core.program.main import commands
from saloon.core.terms import SeatNo
from saloon.core.tournament.commands import AcceptSheet, DrawLots, PublishRanking
from saloon.core.tournament.events import DrawnTable, Source, Waivers
from saloon.core.tournament.state import Round, TournamentState

Line = dict[str, object]
GOLDEN = Path(__file__).parent / "golden"


def played_on_a_terminal(
    state: TournamentState, drawn: Round, table: DrawnTable
) -> tuple[list[GameStep], FinishedGame]:
    """Seat 2 shoots the Sheriff at a table with a terminal; a slip is undone on the way."""
    names = {entrant.player: entrant.name for entrant in state.entrants}
    rules = rules_of(state.rules)
    terminal = ScriptedTable(rules)
    seats = tuple(SeatedPlayer(player, names[player]) for player in table.players)
    terminal.ask(
        c.SeatTable(table.game, state.tournament, state.name, state.rules, drawn.round, table.table, seats),
        order=1,
    )
    numbers = [SeatNo(number) for number in range(1, len(seats) + 1)]
    terminal.ask(*(c.CheckIn(seat) for seat in numbers), c.DealRoles())
    for seat, character in zip(numbers, Character, strict=False):
        terminal.ask(c.ChooseCharacter(seat, character))
    terminal.ask(c.BeginGame(), c.Reshuffle(), c.Undo(), c.EndTurn(), c.LoseLife(SeatNo(1), 5))
    terminal.ask(c.Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
    terminal.ask(c.DeclareRoles(ROLES[len(seats)]), c.ConfirmSheet(Confirmation.PIN))
    return terminal.log, finished_game(terminal.now())


class Exported:
    """The lines of an export, to be spoilt at will and written."""

    def __init__(self, head: Line, lines: Iterable[Line]) -> None:
        self.lines: list[Line] = [head, *lines]

    def written(self, path: Path) -> Path:
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in self.lines))
        return path


def head(judge: Judge) -> Line:
    state = judge.state
    return {
        "kind": "saloon-export",
        "version": 1,
        "tournament": state.tournament,
        "name": state.name,
        "edition": state.edition,
    }


def tournament_lines(judge: Judge) -> list[Line]:
    return [
        {"kind": "tournament-step", "seq": seq, "step": msgspec.to_builtins(step)}
        for seq, step in enumerate(judge.steps, start=1)
    ]


def game_lines(steps: Sequence[GameStep], stream: str = "table/a") -> list[Line]:
    return [
        {
            "kind": "game-step",
            "stream": stream,
            "epoch": "0" * 16,
            "seq": seq * 2,
            "wall_ms": 1_793_214_000_000 + seq,
            "step": msgspec.to_builtins(step),
        }
        for seq, step in enumerate(steps, start=1)
    ]


def whole_tournament() -> tuple[Judge, list[GameStep]]:
    """Ten players, one round: table 1 on a terminal, table 2 on paper, ties drawn, ranking public."""
    judge = Judge(edition("championship-2022")).opens(10, Waivers(rounds=1))
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
    return Exported(head(judge), [*tournament_lines(judge), *game_lines(steps)])


Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run a command; what it cannot read comes out as the exception."""

    def ran(*arguments: str | Path) -> Result:
        return CliRunner().invoke(commands, [str(argument) for argument in arguments])

    return ran
