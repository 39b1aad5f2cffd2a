"""Sheets of games in which players came back: as the table had it, and what cannot have happened."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import Refused
from core.cli.why import game_rows
from core.game.clock import EndByTimeLimit
from core.game.correction import CorrectLife, CorrectTurn, RestorePlayer
from core.game.decide import GameCommand, why_not
from core.game.ending.finished_game import FinishedGame, check_finished, survivors
from core.game.ending.rebel import ShowEventCard
from core.game.ending.record_sheet import record_sheet, why_game
from core.game.play.effects import AnswerRevolution, SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, MarkJailed, SetTurn
from core.game.play.wounds import LoseLife
from core.game.state.game import Abandonment, Cause, Comeback, EventCard, GameState, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import in_play
from core.game.timeline import fold, undoable
from core.terms import Ending, Role, SeatNo
from tests.core.game.rebel_table import (
    DEAD_MAN,
    DEPUTY,
    GHOST_TOWN,
    OTHER_OUTLAW,
    OUTLAW,
    REBEL,
    RENEGADE,
    SHERIFF,
    RebelTable,
    after_a_revolution,
    sheet,
)
from tests.core.game.strategies import Move, draw_seat, next_move
from tests.core.game.test_decide import unhurried
from tests.examples import examples


def test_sheets_that_cannot_be_are_refused() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, EndTurn())
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, _ = sheet(table)

    def refused(*comebacks: Comeback) -> object:
        with pytest.raises(Refused) as caught:
            check_finished(replace(game, comebacks=comebacks), table.rules)
        return caught.value.reason

    assert refused(Comeback(DEPUTY, 1, EventCard.DEAD_MAN)) is GameReason.COMEBACK_NOT_OUT
    assert refused(Comeback(OUTLAW, 0, EventCard.DEAD_MAN)) is GameReason.COMEBACK_WHEN
    assert refused(Comeback(OUTLAW, 9, EventCard.DEAD_MAN)) is GameReason.COMEBACK_WHEN
    assert refused(Comeback(SeatNo(7), 1, EventCard.DEAD_MAN)) is GameReason.NO_SEAT
    assert refused(Comeback(OUTLAW, 4, EventCard.GHOST_TOWN)) is GameReason.COMEBACK_WHEN
    assert refused(Comeback(OUTLAW, 2, EventCard.DEAD_MAN)) is GameReason.NOT_THE_DEAD_MAN


def test_the_record_sheet_names_who_came_back_by_which_card() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, EndTurn())
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, _ = sheet(table)
    lines = record_sheet(game, table.rules).lines
    assert [line.comebacks for line in lines] == [(EventCard.DEAD_MAN,), *[()] * 5]
    why = why_game(game, table.rules, game.players[0])
    assert ", came back: Dead Man; " in next(game_rows(why, {})).how


def test_the_record_sheet_names_the_roles_at_the_end_beside_those_that_were_dealt() -> None:
    table = after_a_revolution()
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, _ = sheet(table)
    lines = record_sheet(game, table.rules).lines
    assert tuple(line.role for line in lines) == table.deal
    changed = {line.seat: line.last_role for line in lines if line.last_role is not line.role}
    assert changed == {SHERIFF: Role.REBEL, REBEL: Role.SHERIFF}
    assert "sheriff" in next(game_rows(why_game(game, table.rules, game.players[REBEL - 1]), {})).how


@st.composite
def a_move(draw: st.DrawFn, state: GameState, deal: tuple[Role, ...]) -> GameCommand:
    """Draw true answers, eliminations by the player in turn, and many event cards and corrections."""
    seat_no = state.revolution_question
    if seat_no is not None:
        # Nobody is asked who has shown another role.
        assert state.seats[seat_no - 1].role is None
        return AnswerRevolution(seat_no, is_rebel=deal[seat_no - 1] is Role.REBEL)
    if state.pending and state.turn is not None and not state.high_noon_question:
        out = state.pending[0]
        by_hand = Eliminate(out, state.turn, deal[out - 1], Cause.PLAYER)
        return by_hand if draw(st.booleans()) else draw(next_move(state, deal))
    return draw(st.sampled_from(MOVES))(draw, state, deal)


def any_seat(draw: st.DrawFn, state: GameState) -> SeatNo:
    return SeatNo(draw(st.integers(1, len(state.seats))))


def lose_life(draw: st.DrawFn, state: GameState, _deal: tuple[Role, ...]) -> GameCommand:
    return LoseLife(draw_seat(draw, state), draw(st.integers(1, 4)))


def correct_turn(draw: st.DrawFn, state: GameState, _deal: tuple[Role, ...]) -> GameCommand:
    return CorrectTurn(any_seat(draw, state), draw(st.sampled_from(HighNoon)), "it was forgotten")


def restore(draw: st.DrawFn, state: GameState, _deal: tuple[Role, ...]) -> GameCommand:
    return RestorePlayer(any_seat(draw, state), draw(st.integers(1, 4)), "it never happened")


MOVES: tuple[Move, ...] = (
    lambda draw, _state, _deal: ShowEventCard(draw(st.sampled_from((None, *EventCard)))),
    lose_life,
    lose_life,
    lambda _draw, _state, _deal: EndTurn(),
    correct_turn,
    restore,
    lambda draw, state, _: Reshuffle(any_seat(draw, state)),
    lambda draw, state, _: SetTurn(any_seat(draw, state)),
    lambda draw, state, deal: draw(next_move(state, deal)),
)


def every_late_entry(state: GameState) -> Iterator[GameCommand]:
    """Yield what a screen may ask about for each seat: turns that were forgotten, and reshuffles in them."""
    for seat in state.seats:
        yield SetTurn(seat.seat)
        yield Reshuffle(seat.seat)
        yield MarkJailed(seat.seat)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 6, 10])
@settings(unhurried, max_examples=examples(60))
@given(data=st.data())
def test_whoever_comes_back_the_table_and_the_sheet_agree(players: int, data: st.DataObject) -> None:
    table = RebelTable(players)
    for _ in range(80):
        before = table.now()
        if before.phase is not Phase.PLAYING:
            break
        for entry in every_late_entry(before):
            # Each is answered, or refused, in a finite number of turns.
            why_not(before, entry, table.rules)
        command = data.draw(a_move(before, table.deal))
        if why_not(before, command, table.rules, may_undo=undoable(table.timeline)) is None:
            table.ask(command)
    assert fold(table.log) == table.timeline
    while table.now().phase is Phase.PLAYING and (table.now().doubtful or table.now().pending):
        state = table.now()
        fallen = [CorrectLife(seat, 1, "a Beer") for seat in state.pending]
        table.ask(*([SurviveHighNoon(state.doubtful[0])] if state.doubtful else fallen[:1]))
    seat_no = table.now().revolution_question
    if seat_no is not None and table.now().phase is Phase.PLAYING:
        table.answer(seat_no, is_rebel=table.deal[seat_no - 1] is Role.REBEL)
    if table.now().phase is Phase.PLAYING:
        table.ask(EndByTimeLimit())
    ended = table.now()
    game, outcome = sheet(table)
    assert (outcome.ending, outcome.because) == (ended.ending, ended.because)
    assert set(outcome.alive) == set(in_play(ended)) == survivors(game)
    assert outcome.revolutions == ended.revolutions
    assert outcome.current_sheriff == ended.sheriff
    assert (outcome.ending is Ending.NO_WINNER) or outcome.winners


def test_comebacks_from_paper_are_those_that_a_table_can_have() -> None:
    table = after_a_revolution()
    table.ask(GHOST_TOWN, EndTurn())
    table.end_turns_until(DEPUTY)
    table.fall(OUTLAW, OTHER_OUTLAW, RENEGADE)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.ask(Eliminate(seat, DEPUTY, table.deal[seat - 1], Cause.PLAYER))
    game, _ = sheet(table)
    ghost = game.comebacks[0]

    def refused(changed: FinishedGame) -> object:
        with pytest.raises(Refused) as caught:
            check_finished(changed, table.rules)
        return caught.value.reason

    within = Comeback(OUTLAW, 2, EventCard.GHOST_TOWN)
    assert refused(replace(game, comebacks=(ghost, within))) is GameReason.COMEBACK_WHEN
    left = (Abandonment(SHERIFF, 0),)
    assert refused(replace(game, abandonments=left)) is GameReason.ALREADY_PASSIVE
    table = RebelTable()
    for seat in (OUTLAW, DEPUTY):
        table.shoot(seat)
    table.ask(EndTurn())
    table.shoot(SHERIFF)
    table.answer(OTHER_OUTLAW, is_rebel=False)
    game, _ = sheet(table)
    second = Comeback(DEPUTY, 2, EventCard.DEAD_MAN)
    assert refused(replace(game, comebacks=(second,))) is GameReason.NOT_THE_DEAD_MAN
