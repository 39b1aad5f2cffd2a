"""Players who come back by an event card, at tables with the Rebel!: cases of its document, and sheets."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.cli.why import game_rows
from core.editions.edition import Edition
from core.game.clock import EndByTimeLimit
from core.game.correction import CorrectLife, CorrectTurn, RestorePlayer
from core.game.decide import GameCommand, why_not
from core.game.ending.endings import GameEnded
from core.game.ending.finished_game import FinishedGame, check_finished, survivors
from core.game.ending.rebel import PlayerCameBack, RevealRebel, RevolutionMade, ShowEventCard
from core.game.ending.record_sheet import record_sheet, why_game
from core.game.ending.winnings import winnings
from core.game.play.effects import AnswerRevolution, SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, MarkJailed, SetTurn, TurnStarted
from core.game.play.wounds import LoseLife
from core.game.state.game import (
    Abandonment,
    Because,
    Cause,
    Comeback,
    EventCard,
    GameState,
    HighNoon,
    Phase,
    Revolution,
)
from core.game.state.reasons import GameReason
from core.game.state.seats import in_play
from core.game.timeline import fold, undoable
from core.terms import Dollars, Ending, Role, SeatNo
from tests.core.game.conftest import refused
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


@pytest.fixture
def table() -> RebelTable:
    return after_a_revolution()


def test_a_sheriff_killed_by_the_rebel_comes_back_as_a_rebel_and_may_make_a_second_revolution(
    table: RebelTable,
) -> None:
    table.ask(DEAD_MAN)
    events = table.ask(EndTurn())
    assert events == (PlayerCameBack(SHERIFF, EventCard.DEAD_MAN, 2), TurnStarted(SHERIFF))
    assert table.now().sheriff == REBEL
    # The role is known: nobody is asked.
    events = table.shoot(REBEL)
    assert events[-2:] == (RevolutionMade(SHERIFF, 1), TurnStarted(SHERIFF))
    assert table.now().sheriff == SHERIFF
    assert table.now().revolutions == (Revolution(REBEL, 1), Revolution(SHERIFF, 2))
    assert table.seat(SHERIFF).life == 3
    table.shoot_enemies(by=DEPUTY)
    game, outcome = sheet(table)
    assert (outcome.ending, outcome.current_sheriff) == (Ending.LAW_WINS, SHERIFF)
    assert outcome.winners == (SHERIFF, DEPUTY)
    paid = winnings(game, table.rules)
    assert paid[REBEL - 1] == 0
    assert paid[SHERIFF - 1] > 0


def test_the_former_sheriff_has_the_maximum_of_other_players_until_sheriff_again(table: RebelTable) -> None:
    assert table.seat(REBEL).max_life == 5
    assert table.seat(SHERIFF).max_life == 4
    table.ask(DEAD_MAN, EndTurn())
    table.shoot(REBEL)
    assert (table.seat(SHERIFF).max_life, table.seat(REBEL).max_life) == (5, 4)


def test_a_sheriff_who_came_back_and_does_not_revolt_wins_nothing(table: RebelTable) -> None:
    table.ask(DEAD_MAN, EndTurn())
    table.shoot_enemies(by=DEPUTY)
    game, outcome = sheet(table)
    assert outcome.winners == (DEPUTY, REBEL)
    assert SHERIFF in outcome.alive
    assert winnings(game, table.rules)[SHERIFF - 1] == 0


def test_another_player_who_kills_the_new_sheriff_wins_for_the_outlaws(table: RebelTable) -> None:
    table.ask(DEAD_MAN, EndTurn())
    table.end_turns_until(OUTLAW)
    assert table.shoot(REBEL)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


def test_a_ghost_plays_one_turn_at_no_life_and_is_out_again(table: RebelTable) -> None:
    table.ask(GHOST_TOWN)
    assert table.ask(EndTurn()) == (
        PlayerCameBack(SHERIFF, EventCard.GHOST_TOWN, 0),
        TurnStarted(SHERIFF),
    )
    assert not table.seat(SHERIFF).in_play
    assert table.refusal(LoseLife(SHERIFF)) is GameReason.OUT
    assert table.refusal(Eliminate(SHERIFF, OUTLAW, Role.SHERIFF, Cause.PLAYER)) is GameReason.OUT
    assert table.ask(EndTurn()) == (TurnStarted(OUTLAW),)
    assert table.now().ghost is None
    assert table.refusal(Eliminate(DEPUTY, SHERIFF, Role.DEPUTY, Cause.PLAYER)) is (
        GameReason.BY_SOMEBODY_OUT
    )


def test_a_ghost_who_kills_the_sheriff_is_back_with_one_life_point_and_a_new_turn(table: RebelTable) -> None:
    table.ask(GHOST_TOWN, EndTurn())
    assert table.shoot(REBEL)[-2:] == (RevolutionMade(SHERIFF, 1), TurnStarted(SHERIFF))
    state = table.now()
    assert (table.seat(SHERIFF).life, table.seat(SHERIFF).in_play) == (1, True)
    assert (state.event_card, state.ghost) == (None, None)
    table.shoot_enemies(by=DEPUTY)
    _, outcome = sheet(table)
    assert outcome.winners == (SHERIFF, DEPUTY)


def test_an_eliminated_rebel_comes_back_with_the_role_shown_and_is_not_asked() -> None:
    table = RebelTable()
    table.ask(GHOST_TOWN)
    table.end_turns_until(OUTLAW)
    table.shoot(REBEL)
    table.end_turns_until(RENEGADE)
    assert table.ask(EndTurn())[0] == PlayerCameBack(REBEL, EventCard.GHOST_TOWN, 0)
    assert table.refusal(RevealRebel(REBEL)) is GameReason.OUT
    events = table.shoot(SHERIFF)
    assert events[-2:] == (RevolutionMade(REBEL, 1), TurnStarted(REBEL))
    assert (table.seat(REBEL).life, table.now().sheriff) == (1, REBEL)


def test_a_ghost_of_the_rebel_does_not_revolt_in_somebody_elses_turn() -> None:
    table = RebelTable()
    table.ask(GHOST_TOWN)
    table.end_turns_until(OUTLAW)
    table.shoot(REBEL)
    assert table.shoot(SHERIFF)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


@pytest.mark.parametrize("card", [GHOST_TOWN, DEAD_MAN])
@pytest.mark.parametrize("comes_back", [True, False])
def test_a_deputy_out_before_the_revolution_wins_only_after_coming_back(
    card: ShowEventCard, *, comes_back: bool
) -> None:
    table = RebelTable()
    table.end_turns_until(OUTLAW)
    table.shoot(DEPUTY)
    table.revolution()
    if comes_back:
        table.ask(card)
        table.end_turns_until(DEPUTY)
        table.ask(EndTurn())
        table.end_turns_until(OTHER_OUTLAW)
        if card is DEAD_MAN:
            table.shoot(DEPUTY)
    table.shoot_enemies(by=REBEL)
    game, outcome = sheet(table)
    assert outcome.ending is Ending.LAW_WINS
    assert outcome.winners == ((DEPUTY, REBEL) if comes_back else (REBEL,))
    assert (winnings(game, table.rules)[DEPUTY - 1] > 0) is comes_back
    assert DEPUTY not in survivors(game)


def test_a_deputy_who_came_back_before_the_revolution_is_no_winner_for_that() -> None:
    table = RebelTable()
    table.end_turns_until(OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(SHERIFF)
    table.ask(GHOST_TOWN)
    table.revolution()
    table.shoot_enemies()
    _, outcome = sheet(table)
    assert outcome.winners == (REBEL,)


def test_a_deputy_pays_for_the_star_and_not_for_a_sheriff_who_came_back(table: RebelTable) -> None:
    table.ask(DEAD_MAN, EndTurn())
    table.end_turns_until(DEPUTY)
    table.shoot(SHERIFF)
    table.shoot_enemies()
    game, _ = sheet(table)
    assert table.rules.penalty > 0
    paid = winnings(game, table.rules)
    assert paid == winnings(game, replace(table.rules, deputy_penalty=Dollars(0)))


def test_an_outlaw_who_is_back_must_be_eliminated_again() -> None:
    table = RebelTable()
    table.end_turns_until(DEPUTY)
    table.shoot(OUTLAW)
    table.end_turns_until(SHERIFF)
    table.ask(DEAD_MAN)
    assert table.ask(EndTurn())[0] == PlayerCameBack(OUTLAW, EventCard.DEAD_MAN, 2)
    table.shoot(RENEGADE)
    table.shoot(OTHER_OUTLAW)
    assert table.now().phase is Phase.PLAYING
    table.end_turns_until(DEPUTY)
    assert table.refusal(Eliminate(OUTLAW, DEPUTY, Role.DEPUTY, Cause.PLAYER)) is (GameReason.SHOWN_OTHERWISE)
    assert table.shoot(OUTLAW)[-1] == GameEnded(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)
    _, outcome = sheet(table)
    assert outcome.after == 4


def test_the_law_wins_though_a_ghost_of_an_outlaw_plays() -> None:
    table = RebelTable()
    table.end_turns_until(SHERIFF)
    table.ask(GHOST_TOWN)
    table.shoot(OUTLAW, RENEGADE)
    table.ask(EndTurn())
    assert table.now().ghost == OUTLAW
    assert table.shoot(OTHER_OUTLAW)[-1] == GameEnded(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)


@pytest.mark.parametrize("card", [GHOST_TOWN, DEAD_MAN])
def test_who_came_back_with_another_role_is_not_asked_about_the_rebel(card: ShowEventCard) -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(card, EndTurn())
    if card is DEAD_MAN:
        assert table.refusal(RevealRebel(OUTLAW)) is GameReason.SHOWN_OTHERWISE
    assert table.shoot(SHERIFF)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)
    _, outcome = sheet(table)
    assert outcome.revolution is None


def after_a_dead_man() -> tuple[FinishedGame, Edition]:
    """The Sheriff came back as Dead Man after a revolution, and the Law won."""
    table = after_a_revolution()
    table.ask(DEAD_MAN, EndTurn())
    table.shoot_enemies(by=DEPUTY)
    return sheet(table)[0], table.rules


@pytest.mark.parametrize(
    ("comeback", "reason"),
    [
        (Comeback(DEPUTY, 1, EventCard.DEAD_MAN), GameReason.COMEBACK_NOT_OUT),
        (Comeback(OUTLAW, 0, EventCard.DEAD_MAN), GameReason.COMEBACK_WHEN),
        (Comeback(OUTLAW, 9, EventCard.DEAD_MAN), GameReason.COMEBACK_WHEN),
        (Comeback(SeatNo(7), 1, EventCard.DEAD_MAN), GameReason.NO_SEAT),
        (Comeback(OUTLAW, 4, EventCard.GHOST_TOWN), GameReason.COMEBACK_WHEN),
        (Comeback(OUTLAW, 2, EventCard.DEAD_MAN), GameReason.NOT_THE_DEAD_MAN),
    ],
)
def test_sheets_that_cannot_be_are_refused(comeback: Comeback, reason: GameReason) -> None:
    game, rules = after_a_dead_man()
    assert refused(check_finished, replace(game, comebacks=(comeback,)), rules) is reason


def test_the_record_sheet_names_who_came_back_by_which_card() -> None:
    game, rules = after_a_dead_man()
    lines = record_sheet(game, rules).lines
    assert [line.comebacks for line in lines] == [(EventCard.DEAD_MAN,), *[()] * 5]
    why = why_game(game, rules, game.players[0])
    assert ", came back: Dead Man; " in next(game_rows(why, {})).how


def test_the_record_sheet_names_the_roles_at_the_end_beside_those_that_were_dealt(table: RebelTable) -> None:
    table.shoot_enemies()
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


def test_comebacks_from_paper_are_those_that_a_table_can_have(table: RebelTable) -> None:
    table.ask(GHOST_TOWN, EndTurn())
    table.end_turns_until(DEPUTY)
    table.fall(OUTLAW, OTHER_OUTLAW, RENEGADE)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.ask(Eliminate(seat, DEPUTY, table.deal[seat - 1], Cause.PLAYER))
    game, _ = sheet(table)
    ghost = game.comebacks[0]
    within = Comeback(OUTLAW, 2, EventCard.GHOST_TOWN)
    assert (
        refused(check_finished, replace(game, comebacks=(ghost, within)), table.rules)
        is GameReason.COMEBACK_WHEN
    )
    left = (Abandonment(SHERIFF, 0),)
    assert (
        refused(check_finished, replace(game, abandonments=left), table.rules) is GameReason.ALREADY_PASSIVE
    )
    table = RebelTable()
    for seat in (OUTLAW, DEPUTY):
        table.shoot(seat)
    table.ask(EndTurn())
    table.shoot(SHERIFF)
    table.answer(OTHER_OUTLAW, is_rebel=False)
    game, _ = sheet(table)
    second = Comeback(DEPUTY, 2, EventCard.DEAD_MAN)
    assert (
        refused(check_finished, replace(game, comebacks=(second,)), table.rules)
        is GameReason.NOT_THE_DEAD_MAN
    )
