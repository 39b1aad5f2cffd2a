"""Messages to tables and remote control of terminals: orders that are durable, sent once and withdrawn."""

import random

import pytest

from base.errors import Refused
from core.game.orders import (
    GlassLocked,
    GlassUnlocked,
    IdentifyTerminal,
    LockGlass,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    RestartTerminal,
    SeatGame,
    ShowMessage,
    WithdrawMessage,
)
from core.terms import MessageId, Seconds, TableNo
from core.tournament.draw.drawing import PublishDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.state.table_list import list_from
from station.messages.service import (
    Addressees,
    DeliveryState,
    MessageRefusal,
    Messages,
    ToAll,
    ToTables,
    ToTournament,
)
from station.projections.cards import GlassLock
from station.terminals.service import RemoteControl, RemoteRefusal
from sync.protocol.entry import TerminalId
from tests.station.conftest import JUDGE, OPEN, WALL_MS, Make, Pair, ScriptedTerminal, Station
from tests.station.hall.test_several_tournaments import SIDE, does, draws_side_event

NO_LIMIT = Seconds(0)
LUNCH = "Stop playing, lunch is at 13:00"
TEN_MIN = Seconds(600)


def write(station: Station, to: Addressees | None = None, lasts_s: Seconds = NO_LIMIT) -> MessageId:
    return station.run(station.service.of(Messages).write(LUNCH, to or ToAll(), lasts_s, JUDGE))


def states(station: Station, number: int = 0) -> dict[int, DeliveryState]:
    """Return the state of a message at each table. Number 0 is the newest message."""
    return {line.table: line.state for line in station.service.of(Messages).sent()[number].lines}


def glass(station: Station, terminal: ScriptedTerminal) -> GlassLock:
    return next(card.glass for card in station.service.terminals() if card.terminal == terminal.id)


def test_a_message_goes_to_the_chosen_tables_once_with_its_delivery(station: Station, pair: Pair) -> None:
    first, second = pair
    message = write(station, ToTables((TableNo(1),)))
    assert first.ordered(ShowMessage) == [ShowMessage(message, LUNCH, JUDGE)]
    assert second.ordered(ShowMessage) == []
    assert states(station) == {1: DeliveryState.SENT}
    first.reports(MessageShown(message))
    assert states(station) == {1: DeliveryState.SHOWN}
    first.reports(MessageConfirmed(message))
    line = station.service.of(Messages).sent()[0].lines[0]
    assert (line.state, line.at_ms) == (DeliveryState.CONFIRMED, WALL_MS + 2000)
    for terminal in pair:
        station.hears(terminal.id, owes=1)
        station.hears(terminal.id, owes=0)
    assert len(first.ordered(ShowMessage)) == 1


def test_a_message_to_a_tournament_names_its_tables_without_a_terminal(station: Station) -> None:
    station.opens(14)
    first = station.terminal(1)
    away = station.terminal(40)
    station.publishes()
    message = write(station, ToTournament(OPEN))
    assert [order.message for order in first.ordered(ShowMessage)] == [message]
    assert away.ordered(ShowMessage) == []
    sent = station.service.of(Messages).sent()[0]
    assert [line.table for line in sent.lines] == [1]
    assert sent.track.written.without == (2,)


def test_tables_that_nobody_knows_and_empty_or_long_messages_are_refused(station: Station) -> None:
    with pytest.raises(Refused) as refused:
        write(station)
    assert refused.value.reason is MessageRefusal.NOBODY
    station.terminal(1)
    for text, to, reason in (
        ("", ToAll(), MessageRefusal.EMPTY),
        ("x" * 201, ToAll(), MessageRefusal.TOO_LONG),
        (LUNCH, ToTables((TableNo(1), TableNo(7))), MessageRefusal.UNKNOWN_TABLES),
    ):
        assert station.refusal(station.service.of(Messages).write(text, to, Seconds(0), JUDGE)) is reason
    assert station.service.of(Messages).sent() == ()


def test_a_returning_terminal_gets_the_message_with_the_time_left(station: Station, pair: Pair) -> None:
    first, _second = pair
    station.disconnects(first.id)
    message = write(station, lasts_s=TEN_MIN)
    assert first.ordered(ShowMessage) == []
    assert states(station) == {1: DeliveryState.WAITING, 2: DeliveryState.SENT}
    station.clock.passed_ms += 4 * 60_000
    station.connects(first.id)
    assert first.ordered(ShowMessage) == [ShowMessage(message, LUNCH, JUDGE, lasts_s=Seconds(360))]


@pytest.mark.parametrize("leaves_first", [False, True], ids=["replaced", "taken away, then replaced"])
@pytest.mark.parametrize("reached", [MessageShown, None], ids=["on the screen", "disconnected"])
def test_an_unread_message_moves_to_the_terminal_that_replaces_a_tables_own(
    station: Station, pair: Pair, *, leaves_first: bool, reached: type[MessageShown] | None
) -> None:
    first, _second = pair
    spare = station.terminal(None)
    station.connects(spare.id)
    if reached is None:
        station.disconnects(first.id)
    message = write(station, ToTables((TableNo(1),)))
    if reached is not None:
        first.reports(reached(message))
    if leaves_first:
        station.assigns(first.id, None)
    station.assigns(spare.id, 1)
    assert [order.message for order in spare.ordered(ShowMessage)] == [message]
    assert states(station) == {1: DeliveryState.SENT}
    station.connects(first.id)
    assert len(first.ordered(ShowMessage)) == len(first.ordered(WithdrawMessage)) == (reached is not None)
    spare.reports(MessageConfirmed(message))
    assert states(station) == {1: DeliveryState.CONFIRMED}
    station.assigns(first.id, 1)
    assert len(first.ordered(ShowMessage)) == (reached is not None)


@pytest.mark.parametrize("seed", range(12))
def test_however_terminals_change_places_an_unread_message_is_on_its_tables_screen_alone(
    station: Station, pair: Pair, seed: int
) -> None:
    terminals = (*pair, station.terminal(None), station.terminal(None))
    for terminal in terminals:
        station.connects(terminal.id)
    write(station, ToTables((TableNo(1),)))
    chance = random.Random(seed)
    for _ in range(8):
        station.assigns(chance.choice(terminals).id, chance.choice((None, 1, 1, 2)))
        at_first = [one for one in station.context.terminals if one.table == 1]
        showing = [
            terminal.id
            for terminal in terminals
            if len(terminal.ordered(ShowMessage)) > len(terminal.ordered(WithdrawMessage))
        ]
        assert showing == [one.terminal for one in at_first]
    before, sent = states(station), [station.orders(one.id) for one in terminals]
    again = station.restarts()
    for terminal in terminals:
        again.connects(terminal.id)
    assert states(again) == before
    assert [again.orders(one.id) for one in terminals] == sent


def test_a_message_does_not_follow_a_terminal_to_another_table(station: Station, pair: Pair) -> None:
    first, _second = pair
    station.disconnects(first.id)
    write(station, ToTables((TableNo(1),)))
    station.assigns(first.id, 7)
    station.connects(first.id)
    assert first.ordered(ShowMessage) == []
    assert states(station) == {1: DeliveryState.WAITING}


def test_a_message_that_is_too_old_or_withdrawn_reaches_nobody_any_more(station: Station, pair: Pair) -> None:
    first, second = pair
    station.disconnects(first.id)
    old, wrong = write(station, lasts_s=TEN_MIN), write(station)
    station.run(station.service.of(Messages).withdraw(wrong, JUDGE))
    station.run(station.service.of(Messages).withdraw(wrong, "Ann"))
    assert second.ordered(WithdrawMessage) == [WithdrawMessage(wrong)]
    station.clock.passed_ms += 11 * 60_000
    station.connects(first.id)
    assert first.ordered(ShowMessage) == []
    # The other was told in time, and may have been away since.
    assert second.ordered(WithdrawMessage) == [WithdrawMessage(wrong), WithdrawMessage(old)]
    assert states(station) == {1: DeliveryState.WITHDRAWN, 2: DeliveryState.WITHDRAWN}
    assert states(station, 1) == {1: DeliveryState.EXPIRED, 2: DeliveryState.EXPIRED}
    assert station.service.of(Messages).sent()[0].track.withdrawn_by == JUDGE
    with pytest.raises(KeyError):
        station.run(station.service.of(Messages).withdraw(MessageId("no"), JUDGE))


def test_a_confirmed_message_stays_confirmed_when_it_is_withdrawn(station: Station, pair: Pair) -> None:
    first, second = pair
    message = write(station)
    first.reports(MessageShown(message), MessageConfirmed(message))
    station.run(station.service.of(Messages).withdraw(message, JUDGE))
    assert states(station) == {1: DeliveryState.CONFIRMED, 2: DeliveryState.WITHDRAWN}
    assert (first.ordered(WithdrawMessage), len(second.ordered(WithdrawMessage))) == ([], 1)


def test_a_late_message_does_not_appear_in_a_later_game(station: Station) -> None:
    terminal = station.round_with_terminal()
    station.accepts_paper(2)
    game = terminal.starts()
    sent = write(station)
    assert terminal.ordered(ShowMessage)[0].game == game
    station.disconnects(terminal.id)
    late = write(station)
    terminal.ends()
    terminal.confirms()
    station.publishes("another cactus")
    station.connects(terminal.id)
    assert len(terminal.ordered(SeatGame)) == 2
    assert [order.message for order in terminal.ordered(ShowMessage)] == [sent]
    assert states(station, 0) == states(station, 1) == {1: DeliveryState.EXPIRED}
    assert not any(message.is_open for message in station.service.of(Messages).sent())
    assert late != sent


def test_what_the_terminal_says_of_an_expired_message_is_kept(station: Station, pair: Pair) -> None:
    first, _second = pair
    message = write(station, lasts_s=TEN_MIN)
    first.reports(MessageShown(message), MessageExpired(message), MessageConfirmed(MessageId("unknown")))
    assert states(station) == {1: DeliveryState.EXPIRED, 2: DeliveryState.SENT}
    station.clock.passed_ms += 11 * 60_000
    station.hears(first.id, owes=1)
    station.hears(first.id, owes=0)
    assert first.ordered(WithdrawMessage) == []


def test_reports_about_the_terminal_are_no_part_of_its_game(station: Station) -> None:
    terminal = station.round_with_terminal()
    game = terminal.seats()
    message = write(station)
    terminal.reports(MessageShown(message), GlassLocked(), MessageConfirmed(message))
    terminal.ends()
    terminal.confirms()
    assert station.service.tournament(OPEN).rounds[0].sheets[0].game == game
    assert [step.seq for step in station.service.story(game)][-1] == len(terminal.entries)
    assert all(card.alarm == "" for card in station.service.terminals())
    assert b"".join(station.service.export(OPEN)).count(b"left-out") >= 1


def test_all_of_it_survives_a_restart_of_the_station(station: Station) -> None:
    first, second = station.terminal(1), station.terminal(2)
    station.disconnects(second.id)
    message = write(station)
    first.reports(MessageShown(message))
    station.run(station.service.of(RemoteControl).lock(second.id, is_locked=True, by=JUDGE))
    again = station.restarts()
    assert states(again) == {1: DeliveryState.SHOWN, 2: DeliveryState.WAITING}
    assert again.orders(first.id).count(ShowMessage(message, LUNCH, JUDGE)) == 1
    again.connects(second.id)
    again.connects(first.id)
    assert again.orders(second.id) == [
        *again.orders(second.id)[:1],
        LockGlass(True, JUDGE),
        ShowMessage(message, LUNCH, JUDGE),
    ]
    assert again.orders(first.id).count(ShowMessage(message, LUNCH, JUDGE)) == 1


def test_two_tournaments_get_their_own_messages(station: Station) -> None:
    station.opens(10)
    terminals = [station.terminal(number) for number in (1, 2, 3)]
    station.publishes()
    draws_side_event(station)
    does(station, MoveTables(tables=list_from(TableNo(3))))
    does(station, PublishDraw())
    write(station, ToTournament(SIDE))
    assert [len(terminal.ordered(ShowMessage)) for terminal in terminals] == [0, 0, 1]


def test_a_glass_is_locked_and_unlocked_and_the_page_knows_it(station: Station, pair: Pair) -> None:
    first, second = pair
    remote = station.service.of(RemoteControl)
    station.run(remote.lock(first.id, is_locked=True, by=JUDGE))
    assert first.ordered(LockGlass) == [LockGlass(True, JUDGE)]
    assert second.ordered(LockGlass) == []
    assert glass(station, first) == GlassLock(JUDGE, is_wanted=True, is_pending=True)
    first.reports(GlassLocked())
    assert glass(station, first) == GlassLock(JUDGE, is_wanted=True, is_locked=True)
    first.reports(GlassUnlocked(is_at_table=True))
    assert glass(station, first) == GlassLock(JUDGE, is_wanted=True)
    station.run(remote.lock(first.id, is_locked=False, by="Ann"))
    first.reports(GlassUnlocked())
    assert glass(station, first) == GlassLock("Ann")
    with pytest.raises(KeyError):
        station.run(remote.lock(TerminalId("0" * 32), is_locked=True, by=JUDGE))


def test_all_tables_are_locked_at_once_and_none_twice(station: Station, pair: Pair) -> None:
    spare, remote = station.terminal(None), station.service.of(RemoteControl)
    station.run(remote.lock(pair[0].id, is_locked=True, by=JUDGE))
    pair[0].reports(GlassLocked())
    station.run(remote.lock_all(is_locked=True, by="Ann"))
    assert [terminal.ordered(LockGlass) for terminal in (*pair, spare)] == [
        [LockGlass(True, JUDGE)],
        [LockGlass(True, "Ann")],
        [],
    ]
    assert station.refusal(remote.lock_all(is_locked=True, by="Ann")) is RemoteRefusal.NOTHING_TO_DO
    station.run(remote.lock_all(is_locked=False, by="Ann"))
    assert [len(terminal.ordered(LockGlass)) for terminal in pair] == [2, 2]


def test_only_connected_terminals_are_restarted_or_identified(station: Station, pair: Pair) -> None:
    first, second = pair
    spare, remote = station.terminal(None), station.service.of(RemoteControl)
    station.run(remote.restart(first.id, JUDGE))
    station.run(remote.identify(first.id, JUDGE))
    assert first.orders[-2:] == [RestartTerminal(), IdentifyTerminal(first.id[:8])]
    station.disconnects(second.id)
    for work in (remote.restart, remote.identify):
        assert station.refusal(work(second.id, JUDGE)) is RemoteRefusal.AWAY
    station.run(remote.identify_spares(JUDGE))
    assert spare.ordered(IdentifyTerminal) == [IdentifyTerminal(spare.id[:8])]
    assert len(first.ordered(IdentifyTerminal)) == 1
    station.disconnects(spare.id)
    assert station.refusal(remote.identify_spares(JUDGE)) is RemoteRefusal.NONE_CONNECTED


@pytest.mark.conformance
def test_a_message_written_at_one_station_is_sent_by_the_one_that_has_the_terminal(another: Make) -> None:
    here, there = another(), another()
    near = here.terminal(1)
    far = there.terminal(2)
    here.run(here.context.catch_up())
    message = write(here)
    assert [order.message for order in near.ordered(ShowMessage)] == [message]
    assert far.ordered(ShowMessage) == []
    there.catches_up()
    assert [order.message for order in far.ordered(ShowMessage)] == [message]
    far.reports(MessageShown(message), MessageConfirmed(message))
    here.catches_up()
    assert states(here) == {1: DeliveryState.SENT, 2: DeliveryState.CONFIRMED}
    there.run(there.service.of(Messages).withdraw(message, "Ann"))
    here.catches_up()
    assert near.ordered(WithdrawMessage) == [WithdrawMessage(message)]
    assert far.ordered(WithdrawMessage) == []
