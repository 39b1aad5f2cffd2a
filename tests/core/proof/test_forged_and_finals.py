"""Packs of every edition hold, with finals and draws changed by hand; no forged step breaks the verifier."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from base.errors import BadData
from core.editions.loader import edition
from core.game.duel.fight import EnterCharacter
from core.game.duel.opening import DrawStarter
from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep
from core.game.result import FinishedDuel, finished_duel
from core.game.setup import CheckIn, SeatTable
from core.game.state.duel import DuelBecause
from core.game.state.game import Confirmation, SeatedPlayer
from core.terms import MatchKind, RoundNo, SeatNo, TableNo
from core.tournament.decisions import TournamentStep, UndoSteps
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
from tests.core.cli.conftest import (
    Exported,
    Line,
    Run,
    game_lines,
    pack_of,
    published_lines,
    whole_tournament,
)
from tests.core.game.duel.conftest import DECK, ONE, SHORT, TWO, DuelTable
from tests.core.proof.test_verify import problems, respelt, verdict
from tests.core.tournament.conftest import Judge
from tests.examples import examples


def played(key: str) -> Judge:
    """A whole tournament on paper, its ranking public."""
    rules = edition(key)
    judge = Judge(rules).opens(5 if not rules.rounds else 11)
    judge.plays_rounds()
    judge.draws_lots()
    if judge.state.with_finals:
        judge.does(PublishRoundsRanking())
        for _ in range(2):
            judge.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
            for table in judge.finals.begun[-1].tables:
                judge.does(AcceptDuel(table.game, won(judge, table.game), Source.PAPER))
    judge.does(PublishRanking())
    return judge


def won(judge: Judge, game: str) -> FinishedDuel:
    """The better placed player wins by five to two."""
    duels = judge.finals.begun[-1]
    table = next(table for table in duels.tables if table.game == game)
    one, other = table.players
    return FinishedDuel(
        round=duels.round,
        table=table.table,
        kind=duels.kind,
        players=(one, other),
        winner=SeatNo(1),
        score=(5, 2),
        because=DuelBecause.ELIMINATIONS,
    )


@pytest.mark.parametrize(
    "key", ["championship-2022", "championship-2010", "official-2003", "simplified-2003"]
)
def test_a_tournament_of_every_edition_holds(key: str) -> None:
    result = verdict(pack_of(played(key), game_lines([])))
    assert result.faults == ()
    assert result.public
    assert result.steps.draws >= 1


def test_prizes_and_places_of_the_finals_are_computed_again() -> None:
    judge = played("championship-2010")
    pack = pack_of(judge, game_lines([]))
    (standings,) = (line for line in published_lines(judge) if line["kind"] == "standings")
    rows = msgspec.json.decode(msgspec.json.encode(standings["rows"]))
    assert [row["prize"] for row in rows[:5]] == [6000, 3000, 1500, 1500, 0]
    assert [(row["first"], row["last"]) for row in rows[:4]] == [(1, 1), (2, 2), (3, 4), (3, 4)]
    (fault,) = verdict(respelt(pack, b'"prize":6000', b'"prize":7000')).faults
    assert fault.line == len(pack.lines)
    assert "prize is 6000; the file says 7000" in fault.problem


def test_a_duel_that_no_terminal_tells_is_a_fault_when_it_was_accepted_as_one() -> None:
    pack = pack_of(played("championship-2010"), game_lines([]))
    accepted = [event for line in pack.lines for event in _events(line) if event["event"] == "duel-accepted"]
    assert len(accepted) == 3
    for event in accepted:
        event["source"] = "terminal"
    assert [str(fault) for fault in verdict(pack).faults] == [
        f"{place}: the sheet was accepted as a terminal's, and no terminal's entries reach its end"
        for place in ("semifinals, table 1", "semifinals, table 2", "final, table 1")
    ]


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 10**6), st.text(max_size=4), st.just([]), st.just({})
)


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place inside a JSON value."""
    paths = [path] if path else []
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        paths += places(item, (*path, key))
    return paths


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(data=st.data())
def test_whatever_a_forger_writes_into_a_step_is_answered_and_not_suffered(data: st.DataObject) -> None:
    """The bytes, hashes and digests are all made anew: only the sense of the steps is left to find it out."""
    pack = Forged()
    steps = [number for number, line in enumerate(pack.lines) if "step" in line]
    number = data.draw(st.sampled_from(steps))
    line: Line = msgspec.json.decode(msgspec.json.encode(pack.lines[number]))
    path = data.draw(st.sampled_from(places(line["step"])))
    target: object = line["step"]
    for key in path[:-1]:
        target = target[key]  # type: ignore[index]  # a path inside JSON
    target[path[-1]] = data.draw(JUNK)  # type: ignore[index]  # likewise
    pack.lines[number] = line
    assert isinstance(verdict(pack).holds, bool)


@pytest.mark.slow
def test_a_pack_from_which_a_field_was_left_out_fails_unless_it_says_the_same() -> None:
    pack = pack_of(played("championship-2010"), game_lines([]))
    lines: list[Line] = msgspec.json.decode(msgspec.json.encode(pack.lines))
    tried: set[tuple[str, str]] = set()
    for number, line in enumerate(lines):
        for place, event in enumerate(line.get("step", {}).get("events", [])):  # type: ignore[attr-defined]
            for field in {*event} - {"event"}:
                if (event["event"], field) in tried:
                    continue
                tried.add((event["event"], field))
                whole = msgspec.json.encode(line)
                shorter: Line = msgspec.json.decode(whole)
                del shorter["step"]["events"][place][field]  # type: ignore[index]
                pack.lines = [*lines[:number], shorter, *lines[number + 1 :]]
                same = _reads_as(shorter) == _reads_as(msgspec.json.decode(whole))
                assert same or not _holds(pack), (event["event"], field)
    assert len(tried) > 40


def _reads_as(line: Line) -> TournamentStep | None:
    try:
        return msgspec.convert(line["step"], TournamentStep)
    except msgspec.ValidationError:
        return None


def _holds(pack: Exported) -> bool:
    try:
        return verdict(pack).holds
    except BadData:
        return False


class Forged(Exported):
    """A fresh copy of one pack."""

    def __init__(self) -> None:
        self.lines = list(_PACK.lines)
        self.changed = {}


_JUDGE, _STEPS = whole_tournament()
_PACK = pack_of(_JUDGE, game_lines(_STEPS))


def test_a_round_far_beyond_the_others_cannot_exhaust_the_memory() -> None:
    pack = Forged()
    number = next(n for n, line in enumerate(pack.lines) if b"draw-sealed" in msgspec.json.encode(line))
    pack.lines[number] = msgspec.json.decode(
        msgspec.json.encode(pack.lines[number]).replace(b'"round":1,', b'"round":4000000000,')
    )
    faults = problems(pack)
    assert any("a draw of round 4000000000 comes too soon" in fault for fault in faults), faults


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
    assume(one != other)
    swap = SwappedPlayers(everybody[one], everybody[other])
    judge.does(ChangeDraw(change=swap, reason="siblings"))
    pack = played_after(judge)
    # The forger writes the tables as they were played, and leaves the change out.
    step = next(line for line in pack.lines if "draw-changed" in msgspec.json.encode(line).decode())
    pack.lines.remove(step)
    for number, line in enumerate((line for line in pack.lines if line["kind"] == "tournament-step"), 1):
        line["seq"] = number
    (draw,) = (event for line in pack.lines for event in _events(line) if event["event"] == "draw-made")
    drawn = msgspec.convert(draw, MakeDraw)
    draw["tables"] = msgspec.to_builtins(changed_tables(drawn.tables, swap))
    assert any("the seed and the hall word give other tables" in problem for problem in problems(pack))
    # One who only leaves it out has record sheets of other players.
    draw["tables"] = msgspec.to_builtins(made.drawn_tables)
    assert any("don't match the draw" in problem for problem in problems(pack))


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
    duels = judge.finals.begun[-1]
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
    drawn = judge.finals.begun[-1].tables[0]
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
