"""Draws changed by hand, missing entries and duels in a proof pack."""

from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.loader import edition
from core.game.duel.fight import EnterCharacter
from core.game.duel.opening import DrawStarter
from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep
from core.game.result import FinishedDuel, finished_duel
from core.game.setup import CheckIn, SeatTable
from core.game.state.game import Confirmation, SeatedPlayer
from core.terms import RoundNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.by_hand import ChangeDraw, changed_tables
from core.tournament.draw.drawing import MakeDraw, PublishDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.sheets import AcceptDuel, WaiveOwedEntries
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.decision import HallFacts, OwingTable
from core.tournament.state.rounds import DrawnTable, MovedPlayer, Source, SwappedPlayers
from core.tournament.state.table_list import read_tables
from core.tournament.state.tournament import Waivers
from tests.core.cli.conftest import Exported, Run, game_lines, pack_of, whole_tournament
from tests.core.game.duel.conftest import DECK, ONE, SHORT, TWO, DuelTable
from tests.core.proof.test_forged_and_finals import verdict
from tests.core.proof.test_verify import problems, respelt
from tests.core.tournament.conftest import Judge
from tests.examples import examples


def played_after(judge: Judge) -> Exported:
    judge.does(PublishDraw())
    for table in judge.state.rounds[-1].tables:
        judge.accepts(table)
    judge.draws_lots()
    judge.does(PublishRanking())
    return pack_of(judge)


def drafted() -> Judge:
    judge = Judge(edition("championship-2022")).opens(11, Waivers(rounds=1))
    judge.draws_tables()
    return judge


def test_a_declared_change_holds_and_is_named_with_its_reason(tmp_path: Path, run: Run) -> None:
    judge = drafted()
    first, second = judge.state.rounds[-1].tables
    names = {entrant.player: entrant.name for entrant in judge.state.entrants}
    judge.does(ChangeDraw(change=SwappedPlayers(first.players[1], second.players[1]), reason="siblings"))
    judge.does(ChangeDraw(change=MovedPlayer(first.players[2], TableNo(2)), reason="near the door"))
    pack = played_after(judge)
    result = verdict(pack)
    assert result.faults == ()
    assert [str(note) for note in result.notes] == [
        (
            "round 1: drawn, then changed by hand: these changes: "
            f"{names[first.players[1]]} and {names[second.players[1]]} swapped, by Judge Roy: siblings; "
            f"{names[first.players[2]]} moved to table 2, by Judge Roy: near the door"
        )
    ]
    path = pack.written(tmp_path / "open.jsonl")
    for command in ("verify", "rank"):
        output = run(command, path)
        assert output.exit_code == 0, output.output
        assert "drawn, then changed by hand" in " ".join(output.output.split())


def test_a_move_is_named_by_the_halls_number_where_numbers_have_a_gap() -> None:
    judge = drafted()
    player = judge.state.rounds[-1].tables[0].players[2]
    judge.does(MoveTables(tables=read_tables("7, 20")))
    judge.does(ChangeDraw(change=MovedPlayer(player, TableNo(2)), reason="near the door"))
    result = verdict(played_after(judge))
    assert result.faults == ()
    assert "moved to table 20" in str(result.notes[0])


def test_a_change_that_was_taken_back_leaves_the_draw_as_it_was_drawn() -> None:
    judge = drafted()
    first, second = judge.state.rounds[-1].tables
    judge.does(ChangeDraw(change=SwappedPlayers(first.players[1], second.players[1]), reason="siblings"))
    judge.does(UndoSteps(1, "they don't mind"))
    result = verdict(played_after(judge))
    assert (result.faults, result.notes) == ((), ())


@settings(max_examples=examples(25))
@given(st.integers(0, 10), st.integers(0, 10))
def test_an_undeclared_change_never_holds(one: int, other: int) -> None:
    judge = drafted()
    made = judge.state.rounds[-1]
    everybody = [player for table in made.tables for player in table.players]
    if one == other:
        return
    swap = SwappedPlayers(everybody[one], everybody[other])
    judge.does(ChangeDraw(change=swap, reason="siblings"))
    pack = played_after(judge)
    # The forger writes the tables as they were played, and leaves the change out.
    step = next(line for line in pack.lines if "draw-changed" in msgspec.json.encode(line).decode())
    pack.lines.remove(step)
    for number, line in enumerate((line for line in pack.lines if line["kind"] == "tournament-step"), 1):
        line["seq"] = number
    for line in pack.lines:
        events = _events(line)
        for event in events:
            if event.get("event") == "draw-made":
                drawn = msgspec.convert(event, MakeDraw)
                event["tables"] = msgspec.to_builtins(changed_tables(drawn.tables, swap))
    result = verdict(pack)
    assert any("the seed and the hall word give other tables" in str(fault) for fault in result.faults)
    # One who only leaves it out has record sheets of other players.
    for line in pack.lines:
        for event in _events(line):
            if event.get("event") == "draw-made":
                event["tables"] = msgspec.to_builtins(made.drawn_tables)
    assert any("don't match the draw" in str(fault) for fault in verdict(pack).faults)


def _events(line: dict[str, object]) -> list[dict[str, object]]:
    step = line.get("step")
    if not isinstance(step, dict) or line["kind"] != "tournament-step":
        return []
    return list(step["events"])


def test_going_on_is_decided_again_and_a_forged_one_is_found() -> None:
    judge, steps = whole_tournament()
    table = judge.state.published_rounds[0].tables[1]
    owing = (OwingTable(RoundNo(1), table.table, table.game, 3),)
    judge.does(UndoSteps(1, "a table owes"))
    judge.does(WaiveOwedEntries(owing, "its card broke"))
    judge.does(PublishRanking(), HallFacts(owing=owing))
    assert problems(pack_of(judge, game_lines(steps))) == []
    forged = respelt(pack_of(judge, game_lines(steps)), b'"its card broke"', b'" "')
    assert any("the rules refuse it" in problem for problem in problems(forged))


def test_going_on_and_back_leaves_a_pack_that_holds() -> None:
    judge, steps = whole_tournament()
    table = judge.state.published_rounds[0].tables[1]
    judge.does(UndoSteps(1, "a table owes"))
    judge.does(WaiveOwedEntries((OwingTable(RoundNo(1), table.table, table.game, None),), "why not"))
    judge.does(UndoSteps(1, "they came after all"))
    judge.does(PublishRanking())
    assert judge.state.owed_waived == ()
    assert problems(pack_of(judge, game_lines(steps))) == []


RULES = edition("championship-2010")


def at_the_semifinals() -> Judge:
    judge = Judge(RULES).opens(10)
    judge.plays_rounds(3)
    judge.draws_lots()
    judge.does(PublishRoundsRanking())
    judge.does(BeginDuels(kind=SHORT))
    return judge


def play_duel(judge: Judge, drawn: DrawnTable) -> tuple[list[GameStep], FinishedDuel]:
    """Seat 1 eliminates five characters in a row, and the judge confirms."""
    assert judge.state.finals is not None
    duels = judge.state.finals.begun[-1]
    table = DuelTable(RULES)
    seats = tuple(SeatedPlayer(player, player) for player in drawn.players)
    state = judge.state
    table.ask(
        SeatTable(
            drawn.game, state.tournament, state.name, state.rules, duels.round, drawn.table, seats, SHORT
        ),
        CheckIn(ONE),
        CheckIn(TWO),
    )
    table.ask(EnterCharacter(ONE, DECK[0]), EnterCharacter(TWO, DECK[8]), DrawStarter(ONE))
    table.lost(TWO, 5)
    table.ask(ConfirmSheet(Confirmation.PIN))
    return table.log, finished_duel(table.now())


def test_a_duel_that_its_terminal_told_holds_and_another_winner_is_a_fault() -> None:
    judge = at_the_semifinals()
    assert judge.state.finals is not None
    drawn = judge.state.finals.begun[-1].tables[0]
    steps, result = play_duel(judge, drawn)
    assert (result.winner, result.score) == (ONE, (5, 0))
    judge.does(AcceptDuel(drawn.game, result, Source.TERMINAL))
    verified = verdict(pack_of(judge, game_lines(steps)))
    assert verified.faults == ()
    assert verified.games is not None
    assert (verified.games.replayed, verified.games.accepted) == (1, 7)

    judge = at_the_semifinals()
    turned = msgspec.structs.replace(result, winner=TWO, score=(0, 5), characters=((), ()))
    judge.does(AcceptDuel(drawn.game, turned, Source.TERMINAL))
    (fault,) = verdict(pack_of(judge, game_lines(steps))).faults
    assert "semifinals, table 1: the sheet was accepted as the terminal's" in fault.problem
    assert "winner is 1 there, 2 on the sheet" in fault.problem
