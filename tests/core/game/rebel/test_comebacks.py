"""Players who come back by an event card, at tables with the Rebel!: the cases that its document decides."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.core.game.conftest import ScriptedTable
from tests.core.game.rebel_table import RebelTable
from tests.core.game.strategies import next_move
from tests.core.game.test_decide import unhurried

from saloon.base.errors import Refused
from saloon.core.editions import edition
from saloon.core.game import commands as c
from saloon.core.game.decide import why_not
from saloon.core.game.ending.endings import Outcome
from saloon.core.game.ending.finished import FinishedGame, check_finished, finished_game, survivors
from saloon.core.game.ending.winnings import winnings
from saloon.core.game.events import Because, Cause, Ending, GameEnded, TurnStarted
from saloon.core.game.play.turns import can_set_turn
from saloon.core.game.reasons import GameReason
from saloon.core.game.rebel.rebel_events import (
    EventCard,
    EventCardShown,
    PlayerCameBack,
    RevolutionMade,
)
from saloon.core.game.seats import in_play
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import Abandonment, Comeback, GameState, HighNoon, Phase, Revolution
from saloon.core.game.timeline import fold, undoable
from saloon.core.rule_set import RecordMode
from saloon.core.terms import Dollars, SeatNo

SHERIFF, OUTLAW, DEPUTY, OTHER_OUTLAW, RENEGADE, REBEL = (SeatNo(seat) for seat in range(1, 7))
GHOST_TOWN, DEAD_MAN = c.ShowEventCard(EventCard.GHOST_TOWN), c.ShowEventCard(EventCard.DEAD_MAN)


def after_a_revolution() -> RebelTable:
    """The Rebel! at seat 6 has shot the Sheriff and begins a turn as the Sheriff."""
    table = RebelTable()
    table.end_turns_until(REBEL)
    table.shoot(SHERIFF)
    table.answer(REBEL, is_rebel=True)
    return table


def sheet(table: RebelTable) -> tuple[FinishedGame, Outcome]:
    table.ask(c.DeclareRoles(table.deal))
    game = finished_game(table.now())
    return game, check_finished(game, table.rules)


def test_a_sheriff_killed_by_the_rebel_comes_back_as_a_rebel_and_may_make_a_second_revolution() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN)
    events = table.ask(c.EndTurn())
    assert events == (PlayerCameBack(SHERIFF, EventCard.DEAD_MAN, 2), TurnStarted(SHERIFF))
    assert table.now().sheriff == REBEL
    # The role is known: nobody is asked.
    events = table.shoot(REBEL)
    assert events[-2:] == (RevolutionMade(SHERIFF, 1), TurnStarted(SHERIFF))
    assert table.now().sheriff == SHERIFF
    assert table.now().revolutions == (Revolution(REBEL, 1), Revolution(SHERIFF, 2))
    assert table.seat(SHERIFF).life == 3
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, outcome = sheet(table)
    assert (outcome.ending, outcome.current_sheriff) == (Ending.LAW_WINS, SHERIFF)
    assert outcome.winners == (SHERIFF, DEPUTY)
    paid = winnings(game, table.rules)
    assert paid[REBEL - 1] == 0
    assert paid[SHERIFF - 1] > 0


def test_the_former_sheriff_has_the_maximum_of_other_players_until_sheriff_again() -> None:
    table = after_a_revolution()
    assert table.seat(REBEL).max_life == 5
    assert table.seat(SHERIFF).max_life == 4
    table.ask(DEAD_MAN, c.EndTurn())
    table.shoot(REBEL)
    assert (table.seat(SHERIFF).max_life, table.seat(REBEL).max_life) == (5, 4)


def test_a_sheriff_who_came_back_and_does_not_revolt_wins_nothing() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, c.EndTurn())
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    game, outcome = sheet(table)
    assert outcome.winners == (DEPUTY, REBEL)
    assert SHERIFF in outcome.alive
    assert winnings(game, table.rules)[SHERIFF - 1] == 0


def test_another_player_who_kills_the_new_sheriff_wins_for_the_outlaws() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, c.EndTurn())
    table.end_turns_until(OUTLAW)
    assert table.shoot(REBEL)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


def test_a_ghost_plays_one_turn_at_no_life_and_is_out_again() -> None:
    table = after_a_revolution()
    table.ask(GHOST_TOWN)
    assert table.ask(c.EndTurn()) == (
        PlayerCameBack(SHERIFF, EventCard.GHOST_TOWN, 0),
        TurnStarted(SHERIFF),
    )
    assert not table.seat(SHERIFF).in_play
    assert table.refusal(c.LoseLife(SHERIFF)) is GameReason.OUT
    assert table.refusal(c.Eliminate(SHERIFF, OUTLAW, Role.SHERIFF, Cause.PLAYER)) is GameReason.OUT
    assert table.ask(c.EndTurn()) == (TurnStarted(OUTLAW),)
    assert table.now().ghost is None
    assert table.refusal(c.Eliminate(DEPUTY, SHERIFF, Role.DEPUTY, Cause.PLAYER)) is (
        GameReason.BY_SOMEBODY_OUT
    )


def test_a_ghost_who_kills_the_sheriff_is_back_with_one_life_point_and_a_new_turn() -> None:
    table = after_a_revolution()
    table.ask(GHOST_TOWN, c.EndTurn())
    assert table.shoot(REBEL)[-2:] == (RevolutionMade(SHERIFF, 1), TurnStarted(SHERIFF))
    state = table.now()
    assert (table.seat(SHERIFF).life, table.seat(SHERIFF).in_play) == (1, True)
    assert (state.event_card, state.ghost) == (None, None)
    table.end_turns_until(DEPUTY)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    _, outcome = sheet(table)
    assert outcome.winners == (SHERIFF, DEPUTY)


def test_an_eliminated_rebel_comes_back_with_the_role_shown_and_is_not_asked() -> None:
    table = RebelTable()
    table.ask(GHOST_TOWN)
    table.end_turns_until(OUTLAW)
    table.shoot(REBEL)
    table.end_turns_until(RENEGADE)
    assert table.ask(c.EndTurn())[0] == PlayerCameBack(REBEL, EventCard.GHOST_TOWN, 0)
    assert table.refusal(c.RevealRebel(REBEL)) is GameReason.OUT
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
    card: c.ShowEventCard, *, comes_back: bool
) -> None:
    table = RebelTable()
    table.end_turns_until(OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(REBEL)
    table.shoot(SHERIFF)
    table.answer(REBEL, is_rebel=True)
    if comes_back:
        table.ask(card)
        table.end_turns_until(DEPUTY)
        table.ask(c.EndTurn())
        table.end_turns_until(OTHER_OUTLAW)
        if card is DEAD_MAN:
            table.shoot(DEPUTY)
    table.end_turns_until(REBEL)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
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
    table.end_turns_until(REBEL)
    table.shoot(SHERIFF)
    table.answer(REBEL, is_rebel=True)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
    _, outcome = sheet(table)
    assert outcome.winners == (REBEL,)


def test_a_deputy_pays_for_the_star_and_not_for_a_sheriff_who_came_back() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, c.EndTurn())
    table.end_turns_until(DEPUTY)
    table.shoot(SHERIFF)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.shoot(seat)
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
    assert table.ask(c.EndTurn())[0] == PlayerCameBack(OUTLAW, EventCard.DEAD_MAN, 2)
    table.shoot(RENEGADE)
    table.shoot(OTHER_OUTLAW)
    assert table.now().phase is Phase.PLAYING
    table.end_turns_until(DEPUTY)
    assert table.refusal(c.Eliminate(OUTLAW, DEPUTY, Role.DEPUTY, Cause.PLAYER)) is (
        GameReason.SHOWN_OTHERWISE
    )
    assert table.shoot(OUTLAW)[-1] == GameEnded(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)
    _, outcome = sheet(table)
    assert outcome.after == 4


def test_the_law_wins_though_a_ghost_of_an_outlaw_plays() -> None:
    table = RebelTable()
    table.end_turns_until(SHERIFF)
    table.ask(GHOST_TOWN)
    table.shoot(OUTLAW, RENEGADE)
    table.ask(c.EndTurn())
    assert table.now().ghost == OUTLAW
    assert table.shoot(OTHER_OUTLAW)[-1] == GameEnded(Ending.LAW_WINS, Because.NO_OUTLAW_OR_RENEGADE_LEFT)


def test_only_the_first_eliminated_player_is_the_dead_man_and_only_once() -> None:
    table = RebelTable()
    table.end_turns_until(SHERIFF)
    table.shoot(DEPUTY)
    table.shoot(OUTLAW)
    table.ask(DEAD_MAN)
    assert table.ask(c.EndTurn())[0] == PlayerCameBack(DEPUTY, EventCard.DEAD_MAN, 2)
    table.end_turns_until(OTHER_OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(SHERIFF)
    assert table.now().event_card is None
    table.ask(DEAD_MAN)
    assert table.ask(c.EndTurn()) == (TurnStarted(OTHER_OUTLAW),)


def test_the_card_is_gone_with_the_sheriffs_next_turn() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    assert table.ask(GHOST_TOWN) == (EventCardShown(EventCard.GHOST_TOWN),)
    assert table.refusal(GHOST_TOWN) is GameReason.EVENT_CARD_ALREADY
    table.ask(c.EndTurn())
    assert table.now().ghost == OUTLAW
    table.end_turns_until(SHERIFF)
    assert table.now().event_card is None
    assert table.ask(c.EndTurn()) == (TurnStarted(DEPUTY),)


def test_a_card_entered_by_mistake_is_taken_away() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(GHOST_TOWN, c.ShowEventCard(None))
    assert table.ask(c.EndTurn()) == (TurnStarted(DEPUTY),)


def test_a_forgotten_turn_of_a_ghost_is_named_like_any_other() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(c.EndTurn())
    assert table.refusal(c.SetTurn(OUTLAW)) is GameReason.OUT
    table.ask(GHOST_TOWN)
    reason = "the card was turned over too late"
    events = table.ask(c.CorrectTurn(OUTLAW, HighNoon.OFF, reason))
    assert events[0] == PlayerCameBack(OUTLAW, EventCard.GHOST_TOWN, 0)
    assert (table.now().turn, table.now().ghost) == (OUTLAW, OUTLAW)
    table.end_turns_until(OTHER_OUTLAW)
    table.shoot(DEPUTY)
    table.end_turns_until(SHERIFF)
    assert table.seat(OUTLAW).in_play is False


def test_a_ghosts_turn_that_nobody_ended_is_passed() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(GHOST_TOWN, c.SetTurn(DEPUTY))
    assert table.now().passed == (OUTLAW,)
    assert [back.seat for back in table.now().comebacks] == [OUTLAW]


def test_high_noon_takes_nothing_from_a_ghost_and_a_point_from_the_dead_man() -> None:
    for card, life in ((GHOST_TOWN, 0), (DEAD_MAN, 1)):
        table = RebelTable()
        table.shoot(OUTLAW)
        table.ask(c.CorrectTurn(SHERIFF, HighNoon.ON, "two reshuffles were forgotten"))
        table.ask(card, c.EndTurn())
        assert (table.now().turn, table.seat(OUTLAW).life) == (OUTLAW, life)
        assert table.now().pending == ()


def test_a_player_who_left_does_not_come_back() -> None:
    table = RebelTable()
    table.ask(c.Abandon(OUTLAW))
    table.shoot(OUTLAW)
    table.ask(GHOST_TOWN)
    assert table.ask(c.EndTurn()) == (TurnStarted(DEPUTY),)


def test_a_light_game_brings_players_back_as_well() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(c.SetRecordMode(RecordMode.LIGHT), DEAD_MAN)
    table.ask(c.SetTurn(OUTLAW))
    assert table.seat(OUTLAW).in_play


def test_what_a_return_rests_on_is_corrected_by_undoing() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(DEAD_MAN, c.EndTurn())
    assert table.refusal(c.RestorePlayer(OUTLAW, 1, "why")) is GameReason.COMEBACK_TOLD
    assert table.refusal(c.CorrectOrder((OUTLAW,), "why")) is GameReason.COMEBACK_TOLD
    table.ask(c.CorrectLife(OUTLAW, 1, "a wound was forgotten"))


def test_only_tables_with_the_rebel_know_these_cards() -> None:
    table = ScriptedTable(edition("championship-2022")).begun(5)
    assert table.refusal(GHOST_TOWN) is GameReason.NO_REBEL


def test_sheets_that_cannot_be_are_refused() -> None:
    table = after_a_revolution()
    table.ask(DEAD_MAN, c.EndTurn())
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


def a_move(state: GameState, deal: tuple[Role, ...]) -> st.SearchStrategy[c.GameCommand]:
    """Truthful answers; eliminations by whoever has the turn; and event cards, more often than in a deck."""
    asked = state.revolution_question
    if asked is not None:
        return st.just(c.AnswerRevolution(asked, is_rebel=deal[asked - 1] is Role.REBEL))
    if state.pending and state.turn is not None and not state.high_noon_question:
        out = state.pending[0]
        by_hand = c.Eliminate(out, state.turn, deal[out - 1], Cause.PLAYER)
        return st.one_of(st.just(by_hand), next_move(state, deal))
    cards = st.builds(c.ShowEventCard, st.sampled_from([None, *EventCard]))
    wounds = st.builds(c.LoseLife, st.sampled_from(in_play(state)), st.integers(1, 4))
    return st.one_of(cards, wounds, wounds, st.just(c.EndTurn()), next_move(state, deal))


@pytest.mark.parametrize("players", [4, 6, 10])
@settings(unhurried, max_examples=60)
@given(data=st.data())
def test_whoever_comes_back_the_table_and_the_sheet_agree(players: int, data: st.DataObject) -> None:
    table = RebelTable(players)
    for _ in range(80):
        before = table.now()
        if before.phase is not Phase.PLAYING:
            break
        command = data.draw(a_move(before, table.deal))
        if why_not(before, command, table.rules, may_undo=undoable(table.timeline)) is None:
            table.ask(command)
    assert fold(table.log) == table.timeline
    if table.now().phase is Phase.PLAYING:
        table.ask(c.EndByTimeLimit())
    told = table.now()
    game, outcome = sheet(table)
    assert (outcome.ending, outcome.because) == (told.ending, told.because)
    assert set(outcome.alive) == set(in_play(told)) == survivors(game)
    assert outcome.revolutions == told.revolutions
    assert outcome.current_sheriff == told.sheriff
    assert (outcome.ending is Ending.NO_WINNER) or outcome.winners


@pytest.mark.parametrize("card", [GHOST_TOWN, DEAD_MAN])
def test_a_turn_that_the_card_no_longer_gives_is_not_named(card: c.ShowEventCard) -> None:
    table = RebelTable()
    table.end_turns_until(OTHER_OUTLAW)
    table.shoot(OUTLAW)
    table.ask(card)
    # The Sheriff's turn, which turns the next card over, comes first.
    assert not can_set_turn(table.now(), OUTLAW)
    assert table.refusal(c.SetTurn(OUTLAW)) is GameReason.OUT


def test_a_reshuffle_is_entered_late_in_a_ghosts_turn() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(GHOST_TOWN, c.Reshuffle(), c.Reshuffle(), c.EndTurn())
    assert table.now().ghost == OUTLAW
    table.ask(c.Reshuffle(during=SHERIFF))
    assert table.now().high_noon is HighNoon.ON
    assert table.now().doubtful == ()


def test_a_late_reshuffle_is_entered_while_the_player_in_turn_is_out_and_others_are_asked() -> None:
    table = RebelTable()
    table.ask(c.Reshuffle(), c.Reshuffle(), c.EndTurn())
    table.fall(OUTLAW, RENEGADE)
    table.ask(c.Eliminate(OUTLAW, None, Role.OUTLAW, Cause.DYNAMITE), c.Reshuffle(during=SHERIFF))
    assert table.now().pending == (RENEGADE,)


@pytest.mark.parametrize("card", [GHOST_TOWN, DEAD_MAN])
def test_who_came_back_with_another_role_is_not_asked_about_the_rebel(card: c.ShowEventCard) -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(card, c.EndTurn())
    if card is DEAD_MAN:
        assert table.refusal(c.RevealRebel(OUTLAW)) is GameReason.SHOWN_OTHERWISE
    assert table.shoot(SHERIFF)[-1] == GameEnded(Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)
    _, outcome = sheet(table)
    assert outcome.revolution is None


def test_a_passed_turn_of_an_earlier_card_does_not_end_the_game_within_the_next() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.leave_with(seat_3=1)
    table.ask(c.CorrectTurn(SHERIFF, HighNoon.ON, "it was forgotten"), c.SetTurn(OTHER_OUTLAW))
    table.ask(c.SurviveHighNoon(DEPUTY), c.RestorePlayer(OUTLAW, 3, "it was somebody else"))
    table.ask(c.CorrectTurn(REBEL, HighNoon.OFF, "it was called too early"))
    table.fall(SHERIFF, RENEGADE)
    table.ask(c.Eliminate(SHERIFF, REBEL, Role.SHERIFF, Cause.PLAYER))
    assert table.now().phase is Phase.PLAYING
    table.ask(c.Eliminate(RENEGADE, REBEL, Role.RENEGADE, Cause.PLAYER))
    assert table.now().revolution_question == REBEL


def test_who_killed_before_coming_back_may_fall_in_a_passed_turn_later() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(DEAD_MAN, c.EndTurn())
    table.shoot(DEPUTY)
    table.lose(OUTLAW, 1)
    table.ask(c.CorrectTurn(SHERIFF, HighNoon.ON, "it was forgotten"), c.SetTurn(OTHER_OUTLAW))
    assert table.now().doubtful == (OUTLAW,)
    table.fall(RENEGADE)
    table.ask(c.Eliminate(RENEGADE, OTHER_OUTLAW, Role.RENEGADE, Cause.PLAYER))
    table.ask(c.Eliminate(OUTLAW, None, Role.OUTLAW, Cause.HIGH_NOON))
    assert [out.seat for out in table.now().eliminations] == [OUTLAW, DEPUTY, OUTLAW, RENEGADE]


def test_a_ghost_in_turn_comes_back_once_and_may_have_been_in_jail() -> None:
    table = RebelTable()
    table.shoot(OUTLAW)
    table.ask(GHOST_TOWN, c.EndTurn(), c.CorrectTurn(OUTLAW, HighNoon.ON, "it was forgotten"))
    assert len(table.now().comebacks) == 1
    passed = RebelTable()
    passed.shoot(OUTLAW)
    passed.ask(GHOST_TOWN, c.SetTurn(DEPUTY), c.MarkJailed(OUTLAW))
    assert passed.now().turns_played[OUTLAW - 1] == 0


def test_comebacks_from_paper_are_those_that_a_table_can_have() -> None:
    table = after_a_revolution()
    table.ask(GHOST_TOWN, c.EndTurn())
    table.end_turns_until(DEPUTY)
    table.fall(OUTLAW, OTHER_OUTLAW, RENEGADE)
    for seat in (OUTLAW, OTHER_OUTLAW, RENEGADE):
        table.ask(c.Eliminate(seat, DEPUTY, table.deal[seat - 1], Cause.PLAYER))
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
    table.ask(c.EndTurn())
    table.shoot(SHERIFF)
    table.answer(OTHER_OUTLAW, is_rebel=False)
    game, _ = sheet(table)
    second = Comeback(DEPUTY, 2, EventCard.DEAD_MAN)
    assert refused(replace(game, comebacks=(second,))) is GameReason.NOT_THE_DEAD_MAN
