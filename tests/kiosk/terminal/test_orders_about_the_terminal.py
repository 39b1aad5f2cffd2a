"""Orders about the terminal: carried out once, kept across a restart, and independent of the game."""

from collections.abc import Callable

import msgspec
import pytest

from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.timeline import Timeline
from core.terminal.orders import (
    IdentifyTerminal,
    LockGlass,
    Order,
    RestartTerminal,
    SeatGame,
    ShowMessage,
    VoidTable,
    WithdrawMessage,
)
from core.terminal.report import (
    GlassLocked,
    GlassUnlocked,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    TerminalFact,
    TerminalIdentified,
    TerminalReport,
    TerminalRestarting,
)
from core.terms import MessageId, SeatNo
from kiosk.terminal.game_keeper import GameKeeper
from tests.kiosk.terminal.test_keeper import G1, G2, Life, started

Seat = Callable[..., SeatGame]
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
def test_a_game_goes_on_as_if_nothing_had_been_ordered(seat: Seat, order: Order) -> None:
    life, other = started(seat), started(seat)
    life.obey(order)
    for each in (life, other):
        each.do(LoseLife(SeatNo(2)), EndTurn())
    assert timeline(life).state == timeline(other).state
    assert life.keeper.may_undo == other.keeper.may_undo


def test_at_every_cut_a_terminal_resumes_messages_and_lock(seat: Seat) -> None:
    life = Life()
    acts: tuple[Order | TerminalFact, ...] = (
        LUNCH, LockGlass(True, "Ann"), MessageConfirmed(M1), seat(), WINDOW, GlassUnlocked(is_at_table=True),
        LockGlass(True, "Roy"), IdentifyTerminal("ab"), RestartTerminal(), WithdrawMessage(M2),
        LockGlass(False, "Roy"),
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


def test_a_message_for_another_game_is_never_shown(seat: Seat) -> None:
    life = started(seat)
    late = msgspec.structs.replace(LUNCH, game=G2)
    assert life.obey(late) == ()
    life.obey(msgspec.structs.replace(LUNCH, game=G1))
    life.obey(WINDOW)
    life.obey(VoidTable(G1, "the draw was taken back"))
    life.obey(seat("g2"))
    assert messages_on(life) == (WINDOW,)
    resumed, _ = life.resumed()
    assert resumed.about_terminal.messages == (WINDOW,)


def test_a_lock_and_its_end_are_reported_with_where_it_ended() -> None:
    life = Life()
    assert facts(life.obey(LockGlass(True, "Ann"))) == [GlassLocked()]
    assert life.keeper.about_terminal.locked_by == "Ann"
    assert facts(life.obey(LockGlass(False, "Ann"))) == [GlassUnlocked()]
    assert life.keeper.about_terminal.locked_by is None


def test_a_terminal_of_an_older_version_logs_such_orders_and_plays_on(seat: Seat) -> None:
    """An older version knows neither these orders nor entries other than steps."""

    class Unheard(msgspec.Struct, frozen=True, tag="unheard", tag_field="body"):
        what: str

    life = started(seat)
    life.orders.append(msgspec.msgpack.encode(Unheard("?")))
    assert life.keeper.carry_out(len(life.orders), life.orders[-1]) == ()
    life.do(EndTurn())
    keeper, due = life.resumed()
    assert (keeper.timeline, due) == (life.keeper.timeline, ())
