"""Orders about the terminal itself: messages, screen lock, restart and identification.

The state is derived from the orders and from the terminal's own reports in its journal.
"""

from typing import assert_never

from core.terminal.orders import (
    IdentifyTerminal,
    LockGlass,
    OrderAboutTerminal,
    RestartTerminal,
    ShowMessage,
    WithdrawMessage,
)
from core.terminal.report import (
    GlassLocked,
    GlassUnlocked,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    PinsLocked,
    Power,
    PowerChanged,
    TerminalFact,
    TerminalIdentified,
    TerminalRestarting,
)
from core.terms import GameId, MessageId


class OrdersAboutTerminal:
    """The open orders about the terminal.

    messages: those to be shown, oldest first. locked_by: the judge who locked the screen, or None.
    is_restart_due: a restart was ordered since the program started. identifications: how many were ordered
    since the program started. name: shown if the terminal has no table. power: the supply last reported.
    """

    def __init__(self) -> None:
        self.messages: tuple[ShowMessage, ...] = ()
        self.locked_by: str | None = None
        self.is_restart_due = False
        self.identifications = 0
        self.name = ""
        self.power = Power.MAINS

    def note(self, order: OrderAboutTerminal, game: GameId | None) -> None:
        """Apply an order's lasting effect, also when replayed after a restart. game: the one here now."""
        match order:
            case ShowMessage():
                if _is_for(order, game) and order not in self.messages:
                    self.messages = (*self.messages, order)
            case WithdrawMessage():
                self._remove(order.message)
            case LockGlass():
                self.locked_by = order.by if order.is_locked else None
            case RestartTerminal() | IdentifyTerminal():
                pass
            case _:
                assert_never(order)

    def obey(self, order: OrderAboutTerminal) -> TerminalFact | None:
        """Carry out a noted order once; return the fact to report, or None."""
        match order:
            case ShowMessage():
                return MessageShown(order.message) if order in self.messages else None
            case WithdrawMessage():
                return None
            case LockGlass():
                return GlassLocked() if order.is_locked else GlassUnlocked()
            case RestartTerminal():
                self.is_restart_due = True
                return TerminalRestarting()
            case IdentifyTerminal():
                self.identifications += 1
                self.name = order.name
                return TerminalIdentified()
            case _:
                assert_never(order)

    def follow(self, fact: TerminalFact) -> None:
        """Apply a report of this terminal."""
        match fact:
            case MessageConfirmed() | MessageExpired():
                self._remove(fact.message)
            case GlassUnlocked():
                self.locked_by = None
            case PowerChanged():
                self.power = fact.power
            case MessageShown() | GlassLocked() | TerminalRestarting() | TerminalIdentified() | PinsLocked():
                pass
            case _:
                assert_never(fact)

    def on_seated(self, game: GameId) -> None:
        """Discard messages that were meant for another game."""
        self.messages = tuple(message for message in self.messages if _is_for(message, game))

    def _remove(self, gone: MessageId) -> None:
        self.messages = tuple(message for message in self.messages if message.message != gone)


def _is_for(message: ShowMessage, game: GameId | None) -> bool:
    return message.game is None or message.game == game
