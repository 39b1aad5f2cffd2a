"""Packs of every edition hold, finals included; and no forged step breaks the verifier."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from base.errors import BadData
from core.editions.loader import edition
from core.game.result import FinishedDuel
from core.game.state.duel import DuelBecause
from core.proof.reading import read_pack
from core.proof.verify import PackVerdict, verify_pack
from core.terms import MatchKind, SeatNo
from core.tournament.decisions import TournamentStep
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.sheets import AcceptDuel
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.rounds import Source
from tests.core.cli.conftest import Exported, Line, game_lines, pack_of, published_lines, whole_tournament
from tests.core.tournament.conftest import Judge
from tests.examples import examples


def verdict(pack: Exported) -> PackVerdict:
    return verify_pack(read_pack(pack.texts()))


def played(key: str) -> Judge:
    """A whole tournament on paper, its ranking public."""
    rules = edition(key)
    judge = Judge(rules).opens(5 if not rules.rounds else 11)
    while not judge.state.published_rounds or len(judge.state.published_rounds) < (
        judge.state.rounds_planned or 0
    ):
        judge.plays_round()
    judge.draws_lots()
    if judge.state.with_finals:
        judge.does(PublishRoundsRanking())
        for _ in range(2):
            judge.does(BeginDuels(kind=MatchKind.SHORT_DUEL))
            assert judge.state.finals is not None
            for table in judge.state.finals.begun[-1].tables:
                judge.does(AcceptDuel(table.game, won(judge, table.game), Source.PAPER))
    judge.does(PublishRanking())
    return judge


def won(judge: Judge, game: str) -> FinishedDuel:
    """The better placed player wins by five to two."""
    assert judge.state.finals is not None
    duels = judge.state.finals.begun[-1]
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
    pack.lines = msgspec.json.decode(
        msgspec.json.encode(pack.lines).replace(b'"prize":6000', b'"prize":7000')
    )
    (fault,) = verdict(pack).faults
    assert fault.line == len(pack.lines)
    assert "prize is 6000; the file says 7000" in fault.problem


def test_a_duel_that_no_terminal_tells_is_a_fault_when_it_was_accepted_as_one() -> None:
    pack = pack_of(played("championship-2010"), game_lines([]))
    encoded = msgspec.json.encode(pack.lines)
    assert encoded.count(b'"event":"duel-accepted"') == 3
    forged = [
        msgspec.json.encode(line).replace(b'"source":"paper"', b'"source":"terminal"')
        if b"duel-accepted" in msgspec.json.encode(line)
        else msgspec.json.encode(line)
        for line in pack.lines
    ]
    pack.lines = [msgspec.json.decode(line) for line in forged]
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
    problems = [str(fault) for fault in verdict(pack).faults]
    assert any("a draw of round 4000000000 comes too soon" in fault for fault in problems), problems
