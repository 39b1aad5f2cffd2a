"""Judges' messages to tables, stored as entries of the station, and their delivery.

The orders that show and withdraw messages are derived from these entries and the terminals' reports.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from core.game.orders import (
    AssignTable,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    SeatGame,
    ShowMessage,
    TakeGame,
    WithdrawMessage,
)
from core.terms import GameId, MessageId, Seconds, TableNo
from sync.protocol.entry import StreamId, TerminalId

MESSAGES = StreamId("messages/station")
_MS_IN_S = 1_000


class Recipient(msgspec.Struct, frozen=True):
    """A terminal that a message is addressed to. ``game`` is the one at its table at that time, if any."""

    terminal: TerminalId
    table: TableNo
    game: GameId | None = None


class _Body(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class MessageWritten(_Body, frozen=True, tag="message-written", omit_defaults=True):
    """A judge has written a message. ``by`` is the judge's name.

    lasts_s: how long it may be shown, or 0 if there is no limit.
    without: addressed tables that have no terminal.
    """

    message: MessageId
    text: str
    by: str
    recipients: tuple[Recipient, ...]
    lasts_s: Seconds = Seconds(0)
    without: tuple[TableNo, ...] = ()


class MessageWithdrawn(_Body, frozen=True, tag="message-withdrawn"):
    """A judge has withdrawn a message from the tables that have not confirmed it."""

    message: MessageId
    by: str


MessageBody = MessageWritten | MessageWithdrawn


@dataclass
class MessageDelivery:
    """The delivery of a message to one table.

    terminals: those that were ordered to show it, and haven't closed it since.
    shown_ms, confirmed_ms: by the terminal's clock; None before that.
    is_over: it has expired, or the table has moved on to another game.
    """

    recipient: Recipient
    terminals: set[TerminalId] = field(default_factory=set)
    shown_ms: int | None = None
    confirmed_ms: int | None = None
    is_over: bool = False

    @property
    def is_unread(self) -> bool:
        return self.confirmed_ms is None and not self.is_over


@dataclass
class MessageTrack:
    """A message with its deliveries. ``withdrawn_by`` is empty unless it was withdrawn."""

    written: MessageWritten
    at_ms: int
    withdrawn_by: str = ""
    deliveries: dict[TableNo, MessageDelivery] = field(default_factory=dict)

    def left_s(self, wall_ms: int) -> Seconds | None:
        """Return how long the message may still be shown: 0 once expired, None without a limit."""
        if not self.written.lasts_s:
            return None
        return Seconds(max(0, self.written.lasts_s - (wall_ms - self.at_ms) // _MS_IN_S))

    def has_ended(self, wall_ms: int) -> bool:
        return bool(self.withdrawn_by) or self.left_s(wall_ms) == 0


class MessageLog:
    """All messages and their deliveries, which follow a table when it gets another terminal."""

    def __init__(self) -> None:
        self.messages: dict[MessageId, MessageTrack] = {}
        self._tables: dict[TerminalId, TableNo] = {}
        self._unread: dict[TableNo, dict[MessageId, MessageDelivery]] = {}
        self._showing: dict[TerminalId, dict[MessageId, MessageDelivery]] = {}
        self._reported: dict[tuple[TerminalId, MessageId], MessageDelivery] = {}
        """The delivery that a terminal's reports are about, also after it has closed the message."""

    def apply(self, body: MessageBody, wall_ms: int) -> None:
        """Apply an entry of the station, written at ``wall_ms``."""
        if isinstance(body, MessageWithdrawn):
            if body.message in self.messages:
                self.messages[body.message].withdrawn_by = body.by
            return
        track = self.messages[body.message] = MessageTrack(body, wall_ms)
        for recipient in body.recipients:
            delivery = track.deliveries[recipient.table] = MessageDelivery(recipient)
            self._unread.setdefault(recipient.table, {})[body.message] = delivery

    def on_order(
        self, terminal: TerminalId, order: AssignTable | ShowMessage | WithdrawMessage | SeatGame | TakeGame
    ) -> None:
        """Apply an order to a terminal that shows or withdraws a message, or gives it a table or a game."""
        match order:
            case AssignTable():
                self._tables[terminal] = order.table
            case ShowMessage():
                self._show(terminal, order.message)
            case WithdrawMessage():
                self._close(terminal, order.message)
            case SeatGame():
                self._on_given(terminal, order.seating.game)
            case TakeGame(first=0):
                self._on_given(terminal, order.game)
            case TakeGame():
                pass

    def on_report(
        self, terminal: TerminalId, fact: MessageShown | MessageConfirmed | MessageExpired, wall_ms: int
    ) -> None:
        """Apply a terminal's report. ``wall_ms`` is the time by its clock."""
        delivery = self._reported.get((terminal, fact.message))
        if delivery is None:
            return
        match fact:
            case MessageShown():
                delivery.shown_ms = delivery.shown_ms or wall_ms
                return
            case MessageConfirmed():
                delivery.confirmed_ms = delivery.confirmed_ms or wall_ms
            case MessageExpired():
                delivery.is_over = True
        self._unread.get(delivery.recipient.table, {}).pop(fact.message, None)
        self._close(terminal, fact.message)

    def unread_at(self, table: TableNo | None) -> Iterator[tuple[MessageTrack, MessageDelivery]]:
        """Yield the deliveries to a table that nobody there has confirmed, oldest first."""
        return self._with_tracks({} if table is None else self._unread.get(table, {}))

    def showing_at(self, terminal: TerminalId) -> Iterator[tuple[MessageTrack, MessageDelivery]]:
        """Yield the deliveries that a terminal was ordered to show and has not closed, oldest first."""
        return self._with_tracks(self._showing.get(terminal, {}))

    def _with_tracks(
        self, deliveries: Mapping[MessageId, MessageDelivery]
    ) -> Iterator[tuple[MessageTrack, MessageDelivery]]:
        return ((self.messages[message], delivery) for message, delivery in deliveries.items())

    def _on_given(self, terminal: TerminalId, game: GameId) -> None:
        for track, delivery in tuple(self.unread_at(self._tables.get(terminal))):
            if delivery.recipient.game not in {None, game}:
                delivery.is_over = True
                del self._unread[delivery.recipient.table][track.written.message]
        for track, delivery in tuple(self.showing_at(terminal)):
            # A terminal closes the messages about its earlier game by itself.
            if delivery.recipient.game not in {None, game}:
                self._close(terminal, track.written.message)

    def _show(self, terminal: TerminalId, message: MessageId) -> None:
        track, table = self.messages.get(message), self._tables.get(terminal)
        delivery = None if track is None or table is None else track.deliveries.get(table)
        if delivery is not None:
            delivery.terminals.add(terminal)
            delivery.shown_ms = None
            self._showing.setdefault(terminal, {})[message] = delivery
            self._reported[terminal, message] = delivery

    def _close(self, terminal: TerminalId, message: MessageId) -> None:
        delivery = self._showing.get(terminal, {}).pop(message, None)
        if delivery is not None:
            delivery.terminals.discard(terminal)
