"""Whatever the table enters: one winner at the end, life within bounds, undo is what was before."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from base.errors import Refused
from core.characters import Character
from core.editions.loader import edition
from core.editions.tables import FinalsRule
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, why_not
from core.game.duel.fight import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
)
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.ending.judge_calls import CallJudge
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.result import check_finished_duel, finished_duel
from core.game.setup import CheckIn
from core.game.state.decisions import Undo
from core.game.state.duel import CHARACTERS, Advantage, DuelPhase, DuelState, Remedy, winner_by_score
from core.game.state.game import Phase
from core.game.timeline import fold, undoable
from core.terms import SeatNo
from tests.core.game.conftest import seating
from tests.core.game.duel.conftest import LONG, ONE, SHORT, TWO, DuelTable
from tests.examples import examples

SEATS = st.integers(0, 3).map(SeatNo)
CHARACTERS_ANY = st.sampled_from(Character)
POINTS = st.integers(-1, 9)
SENSELESS: st.SearchStrategy[GameCommand] = st.one_of(
    st.builds(TurnUpCharacters, st.lists(CHARACTERS_ANY, max_size=11).map(tuple)),
    st.builds(TakeAdvantage, st.sampled_from(Advantage)),
    st.builds(PickCharacter, SEATS, CHARACTERS_ANY),
    st.builds(ShowLine, SEATS, CHARACTERS_ANY, CHARACTERS_ANY),
    st.builds(DrawStarter, SEATS),
    st.builds(EnterCharacter, SEATS, CHARACTERS_ANY),
    st.builds(ChooseLine, SEATS, CHARACTERS_ANY, st.none() | CHARACTERS_ANY),
    st.builds(WoundCharacter, SEATS, CHARACTERS_ANY, POINTS),
    st.builds(HealCharacter, SEATS, CHARACTERS_ANY, POINTS, st.sampled_from(Remedy)),
    st.builds(CarryWounds, SEATS, POINTS),
    st.builds(CheckIn, SEATS),
    st.just(EndTurn()),
    st.just(CallJudge()),
    st.just(Reshuffle()),
    st.just(EndByTimeLimit()),
    st.builds(Undo, st.integers(0, 4)),
)


def sensible(duel: DuelState) -> list[GameCommand]:
    """Return commands that players may enter now."""
    match duel.phase:
        case DuelPhase.FACE_UP:
            return [TurnUpCharacters(tuple(Character)[:10])]
        case DuelPhase.CHOICE:
            return [TakeAdvantage(advantage) for advantage in Advantage]
        case DuelPhase.DRAFT:
            assert duel.picker is not None
            return [PickCharacter(duel.picker, character) for character in duel.free]
        case DuelPhase.LINES:
            return [ShowLine(side.seat, *side.picks[1:3]) for side in duel.sides if not side.shown]
        case _:
            return [
                *(DrawStarter(seat) for seat in (ONE, TWO)),
                *(EnterCharacter(side.seat, duel.may_enter(side.seat)[0]) for side in duel.sides
                  if duel.entering(side.seat)),
                *(WoundCharacter(side.seat, fighter.character, points) for side in duel.sides
                  for fighter in side.in_play for points in (1, 3)),
                *(HealCharacter(side.seat, f.character) for side in duel.sides for f in side.in_play),
                EndTurn(),
            ]  # fmt: skip


def held(table: DuelTable) -> None:
    """Assert the invariants of a duel."""
    duel = table.duel()
    for side in duel.sides:
        for fighter in side.in_play:
            assert 0 < fighter.life <= fighter.max_life
        assert len(set(side.shown)) == len(side.shown) == len(side.lost) + len(side.in_play)
        assert duel.reserve(side.seat) >= 0
        assert (side.front is not None) or (side.rear is None)
    by_score = winner_by_score(duel.kind, duel.score)
    assert by_score in {None, duel.winner}
    assert (duel.winner is not None) == (table.now().phase in {Phase.SHEET, Phase.CONFIRMED})


@pytest.mark.slow
@settings(max_examples=examples(30), deadline=None)
@given(st.data(), st.sampled_from((LONG, SHORT)))
def test_every_sequence_of_commands_ends_in_exactly_one_winner(data: st.DataObject, kind: object) -> None:
    match_kind = LONG if kind is LONG else SHORT
    table = _table()
    table.ask(msgspec.structs.replace(seating(2), match=match_kind), CheckIn(ONE), CheckIn(TWO))
    for _ in range(150):
        for seat in table.now().seats:
            if not seat.checked_in and table.now().phase is Phase.SEATING:
                table.ask(CheckIn(seat.seat))
        if table.now().phase is not Phase.DUEL:
            break
        random = data.draw(st.integers(0, 5)) == 0
        command = data.draw(SENSELESS) if random else data.draw(st.sampled_from(sensible(table.duel())))
        before, timeline = table.now(), table.timeline
        allowed = why_not(before, command, table.rules, may_undo=undoable(timeline)) is None
        try:
            table.ask(command)
        except Refused:
            assert not allowed
            assert table.timeline == timeline
            continue
        assert allowed
        held(table)
        if not isinstance(command, Undo | CallJudge):
            table.ask(Undo(1))
            called = {"judge_called": before.judge_called, "call_reason": before.call_reason}
            assert msgspec.structs.replace(table.now(), **called) == before
            table.ask(command)
    if table.now().phase in {Phase.SEATING, Phase.DUEL}:
        table.ask(RuleDuel(ONE, "the test's time is over"))
    duel = finished_duel(table.now())
    check_finished_duel(duel, table.rules)
    assert duel.winner in {ONE, TWO}
    assert max(duel.score) <= CHARACTERS[match_kind]
    assert fold(table.log) == table.timeline


def _table() -> DuelTable:
    finals = FinalsRule(modes=(LONG, SHORT), prizes=())
    return DuelTable(msgspec.structs.replace(edition("championship-2022"), finals=finals))
