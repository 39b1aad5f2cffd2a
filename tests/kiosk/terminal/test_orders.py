"""The station's orders to a terminal."""

from collections.abc import Callable

import msgspec
import pytest

from core.game.ending.sheet import VoidGame
from core.game.events import GameStep
from core.game.orders import (
    CheckInSeat,
    ConfirmFromStation,
    GlassLocked,
    GlassUnlocked,
    IdentifyTerminal,
    LockGlass,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    OfferSignIn,
    Order,
    RelieveTable,
    RestartTerminal,
    SeatGame,
    SetClock,
    ShowMessage,
    TakeGame,
    TerminalFact,
    TerminalIdentified,
    TerminalReport,
    TerminalRestarting,
    VoidTable,
    WithdrawMessage,
    WithdrawSeat,
)
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import CheckIn, DealRoles
from core.game.state.decisions import Undo
from core.game.state.game import Phase
from core.game.takeover import step_with_origin
from core.game.timeline import Timeline, undoable
from core.terms import MessageId, PlayerId, SeatNo, Seconds, TournamentId
from kiosk.preferences import Spoken
from kiosk.terminal.game_keeper import GameKeeper
from sync.protocol.entry import Epoch, TerminalId
from tests.kiosk.rig.stand_ins import seat_order
from tests.kiosk.terminal.test_keeper import G1, G2, SEATS, Life, snapshot, started

LINK = "https://192.0.2.1/in/7KQ3M9XWPT4C"


def offered() -> Life:
    life = Life()
    life.obey(seat_order())
    life.obey(OfferSignIn(G1, LINK))
    return life


def here(life: Life) -> list[int]:
    return [seat.seat for seat in life.game.seats if seat.checked_in]


def test_a_player_who_signs_in_by_phone_is_here_and_speaks_the_chosen_language() -> None:
    life = offered()
    life.obey(CheckInSeat(G1, SEATS[1], "it"))
    assert here(life) == [2]
    assert life.keeper.take_spoken() == (Spoken(TournamentId("t"), PlayerId("p2"), "it"),)
    assert life.keeper.take_spoken() == ()


def test_phones_and_fingers_check_a_table_in_together() -> None:
    life = offered()
    life.do(CheckIn(SEATS[0]))
    for number in SEATS[1:]:
        life.obey(CheckInSeat(G1, number))
    assert life.game.phase is Phase.ROLES
    life.do(DealRoles())
    assert life.keeper.take_spoken() == ()


@pytest.mark.parametrize(
    "order",
    [CheckInSeat(G1, SEATS[0], "it"), CheckInSeat(G2, SEATS[1], "it"), CheckInSeat(G1, SeatNo(9), "it")],
)
def test_a_sign_in_that_comes_too_late_or_astray_changes_nothing(order: Order) -> None:
    life = offered()
    life.do(CheckIn(SEATS[0]))
    assert life.obey(order) == ()
    assert here(life) == [1]
    assert life.keeper.take_spoken() == ()


def test_nobody_signs_in_once_the_roles_are_being_dealt() -> None:
    life = offered()
    life.do(*map(CheckIn, SEATS))
    assert life.keeper.sign_in_link == ""
    assert life.obey(CheckInSeat(G1, SEATS[1], "it")) == ()
    life.do(Undo(1))
    assert life.keeper.sign_in_link == LINK


def test_undo_goes_through_sign_ins_to_the_touches_before_them() -> None:
    life = offered()
    life.do(CheckIn(SEATS[0]))
    life.obey(CheckInSeat(G1, SEATS[1]))
    life.do(Undo(1))
    assert here(life) == [1]
    life.obey(CheckInSeat(G1, SEATS[1]))
    life.do(Undo(2))
    assert here(life) == []


def test_the_code_is_shown_only_for_the_game_that_is_seated() -> None:
    life = Life()
    life.obey(OfferSignIn(G1, LINK))
    assert life.keeper.sign_in_link == ""
    life.obey(seat_order())
    assert life.keeper.sign_in_link == LINK
    life.obey(OfferSignIn(G1, ""))
    assert life.keeper.sign_in_link == ""
    life.obey(OfferSignIn(G1, LINK))
    life.obey(RelieveTable(G1))
    assert life.keeper.sign_in_link == ""
    assert life.obey(CheckInSeat(G1, SEATS[1])) == ()


def test_a_terminal_that_restarts_still_shows_the_code_and_checks_nobody_in_twice() -> None:
    life = offered()
    life.obey(CheckInSeat(G1, SEATS[1], "de"))
    keeper, due = life.resumed()
    assert (keeper.sign_in_link, due, keeper.take_spoken()) == (LINK, (), ())
    cut, due = life.resumed(1)
    assert len(due) == 1
    assert cut.game == life.keeper.game
    assert cut.take_spoken() == (Spoken(TournamentId("t"), PlayerId("p2"), "de"),)


def test_a_sign_in_waits_with_the_game_that_it_is_for() -> None:
    life = offered()
    life.obey(seated())
    life.obey(OfferSignIn(G2, LINK))
    assert life.obey(CheckInSeat(G2, SEATS[2], "fr")) == ()
    life.obey(VoidTable(G1, "the draw was taken back"))
    assert (life.game.game, here(life)) == (G2, [3])
    assert life.keeper.sign_in_link == LINK


def seated() -> SeatGame:
    """Return the order to seat a game of a side event."""
    order = seat_order("g2")
    seating = msgspec.structs.replace(order.seating, tournament=TournamentId("side"))
    return msgspec.structs.replace(order, seating=seating, time_limit_min=40)


def taken_over() -> TakeGame:
    """Return the order to continue a game of the side event that began at another table."""
    other = Life()
    other.obey(seated())
    steps = tuple(
        step_with_origin(
            msgspec.msgpack.decode(body, type=GameStep), TerminalId("f" * 32), Epoch("e" * 16), number
        )
        for number, body in enumerate(other.own, 1)
    )
    return TakeGame(G2, 0, len(steps), steps)


@pytest.mark.parametrize("ends", [ConfirmFromStation(G1), VoidTable(G1, "taken back"), RelieveTable(G1)])
@pytest.mark.parametrize("order_of", [seated, taken_over])
def test_the_next_tournament_waits_for_the_end_of_the_game(
    ends: Order, order_of: Callable[[], Order]
) -> None:
    life = started()
    clock = SetClock(G2, 1, Seconds(2400), Seconds(2400))
    for order in (order_of(), clock, WithdrawSeat(G2, SeatNo(4), ejected=False)):
        assert life.obey(order) == ()
    life.do(EndTurn())
    assert (life.game.game, life.game.phase) == (G1, Phase.PLAYING)
    assert life.keeper.clock.order is None
    life.obey(ends)
    assert (life.game.game, life.game.seats[3].passive) == (G2, True)
    assert life.keeper.clock.order == clock


def test_a_game_that_the_judge_voids_at_the_table_lets_the_next_one_in() -> None:
    life = started()
    life.obey(seated())
    life.do(VoidGame("forgotten at this table"))
    life.own.extend(life.keeper.carry_out_waiting())
    assert life.game.game == G2
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)


@pytest.mark.parametrize("ends", [VoidTable(G2, "taken back"), RelieveTable(G2)])
def test_a_game_that_is_taken_back_waits_no_more(ends: Order) -> None:
    life = started()
    life.obey(seated())
    life.obey(ends)
    life.obey(ConfirmFromStation(G1))
    assert life.game.game == G1


def test_a_waiting_game_survives_a_power_cut_at_any_moment() -> None:
    life = started()
    life.obey(seated())
    life.obey(SetClock(G2, 1, Seconds(2400), Seconds(2400)))
    life.do(EndTurn())
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)
    before = len(life.own)
    life.obey(ConfirmFromStation(G1))
    assert len(life.own) == before + 2
    for own in range(before, len(life.own) + 1):
        back, _ = life.resumed(own)
        assert snapshot(back) == snapshot(life.keeper)
        assert back.clock == life.keeper.clock
    life.do(VoidGame("again"))
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)


def test_a_terminal_that_gave_its_table_away_goes_on_with_a_game_of_another_table() -> None:
    life = started()
    life.obey(RelieveTable(G1))
    life.obey(taken_over())
    assert life.game.game == G2
    assert snapshot(life.resumed()[0]) == snapshot(life.keeper)


M1, M2 = MessageId("m1"), MessageId("m2")
LUNCH = ShowMessage(M1, "Stop playing, lunch is at 13:00", "Judge Roy")
WINDOW = ShowMessage(M2, "Whose coat is this?", "Judge Roy")


def facts(bodies: tuple[bytes, ...]) -> list[TerminalFact]:
    return [msgspec.msgpack.decode(body, type=TerminalReport).fact for body in bodies]


def report(life: Life, fact: TerminalFact) -> None:
    life.own.append(life.keeper.report(fact))


def known(keeper: GameKeeper) -> tuple[object, ...]:
    about = keeper.about_terminal
    return keeper.timeline, keeper.orders_done, about.messages, about.locked_by


def messages_on(life: Life) -> tuple[ShowMessage, ...]:
    return life.keeper.about_terminal.messages


def timeline(life: Life) -> Timeline:
    assert life.keeper.timeline is not None
    return life.keeper.timeline


def test_messages_queue_and_go_when_they_are_confirmed_withdrawn_or_too_old() -> None:
    life = Life()
    third = ShowMessage(MessageId("m3"), "Last call", "Ann")
    for message in (LUNCH, WINDOW, third):
        assert facts(life.obey(message)) == [MessageShown(message.message)]
    assert messages_on(life) == (LUNCH, WINDOW, third)
    report(life, MessageConfirmed(M1))
    assert life.obey(WithdrawMessage(M2)) == ()
    assert messages_on(life) == (third,)
    report(life, MessageExpired(third.message))
    assert messages_on(life) == ()


@pytest.mark.parametrize(
    "order", [LUNCH, WithdrawMessage(M1), LockGlass(True, "Ann"), RestartTerminal(), IdentifyTerminal("ab")]
)
def test_a_game_goes_on_as_if_nothing_had_been_ordered(order: Order) -> None:
    life, other = started(), started()
    life.obey(order)
    for each in (life, other):
        each.do(LoseLife(SeatNo(2)), EndTurn())
    assert timeline(life).state == timeline(other).state
    assert undoable(life.keeper.timeline) == undoable(other.keeper.timeline)


def test_at_every_cut_a_terminal_resumes_messages_and_lock() -> None:
    life = Life()
    acts: tuple[Order | TerminalFact, ...] = (
        LUNCH, LockGlass(True, "Ann"), MessageConfirmed(M1), seat_order(), WINDOW,
        GlassUnlocked(is_at_table=True), LockGlass(True, "Roy"), IdentifyTerminal("ab"), RestartTerminal(),
        WithdrawMessage(M2), LockGlass(False, "Roy"),
    )  # fmt: skip
    for act in acts:
        before = len(life.own)
        bodies: tuple[bytes, ...] = ()
        if isinstance(act, Order):
            bodies = life.obey(act)
        else:
            report(life, act)
        keeper, due = life.resumed()
        assert known(keeper) == known(life.keeper), act
        assert due == ()
        if bodies:
            # The power failed before the effect was saved, so it is carried out now.
            cut, due = life.resumed(before)
            assert due == bodies
            assert known(cut) == known(life.keeper), act


def test_an_order_to_restart_or_to_be_found_is_obeyed_once() -> None:
    life = Life()
    assert facts(life.obey(RestartTerminal())) == [TerminalRestarting()]
    assert facts(life.obey(IdentifyTerminal("3fa29b1c"))) == [TerminalIdentified()]
    about = life.keeper.about_terminal
    assert (about.is_restart_due, about.identifications, about.name) == (True, 1, "3fa29b1c")
    resumed, _ = life.resumed()
    assert (resumed.about_terminal.is_restart_due, resumed.about_terminal.identifications) == (False, 0)


def test_a_message_for_another_game_is_never_shown() -> None:
    life = started()
    late = msgspec.structs.replace(LUNCH, game=G2)
    assert life.obey(late) == ()
    life.obey(msgspec.structs.replace(LUNCH, game=G1))
    life.obey(WINDOW)
    life.obey(VoidTable(G1, "the draw was taken back"))
    life.obey(seat_order("g2"))
    assert messages_on(life) == (WINDOW,)
    resumed, _ = life.resumed()
    assert resumed.about_terminal.messages == (WINDOW,)


def test_a_lock_and_its_end_are_reported_with_where_it_ended() -> None:
    life = Life()
    assert facts(life.obey(LockGlass(True, "Ann"))) == [GlassLocked()]
    assert life.keeper.about_terminal.locked_by == "Ann"
    assert facts(life.obey(LockGlass(False, "Ann"))) == [GlassUnlocked()]
    assert life.keeper.about_terminal.locked_by is None


def test_a_terminal_of_an_older_version_logs_such_orders_and_plays_on() -> None:
    """An older version knows neither these orders nor entries other than steps."""

    class Unheard(msgspec.Struct, frozen=True, tag="unheard", tag_field="body"):
        what: str

    life = started()
    life.orders.append(msgspec.msgpack.encode(Unheard("?")))
    assert life.keeper.carry_out(len(life.orders), life.orders[-1]) == ()
    life.do(EndTurn())
    keeper, due = life.resumed()
    assert (keeper.timeline, due) == (life.keeper.timeline, ())
