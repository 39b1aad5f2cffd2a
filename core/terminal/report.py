"""Reports of a terminal about itself: journal entries that belong to no game.

They answer the station's orders (``orders.OrderAboutTerminal``), or report that a judge at the
table unlocked the screen, that the power supply changed, or that wrong PINs locked the keypad.
"""

import enum

import msgspec

from core.terms import MessageId


class _Fact(msgspec.Struct, frozen=True, tag=True, tag_field="fact"):
    pass


class MessageShown(_Fact, frozen=True, tag="message-shown"):
    """A message arrived; it is shown, or waits for an earlier one."""

    message: MessageId


class MessageConfirmed(_Fact, frozen=True, tag="message-confirmed"):
    """Somebody at the table confirmed a message."""

    message: MessageId


class MessageExpired(_Fact, frozen=True, tag="message-expired"):
    """A message was not confirmed in time and is no longer shown."""

    message: MessageId


class GlassLocked(_Fact, frozen=True, tag="glass-locked"):
    """The station locked the touchscreen."""


class GlassUnlocked(_Fact, frozen=True, tag="glass-unlocked"):
    """The touchscreen was unlocked.

    ``is_at_table`` is True if the judge there did it, with key or PIN, rather than the station.
    """

    is_at_table: bool = False


class TerminalRestarting(_Fact, frozen=True, tag="terminal-restarting"):
    """The program is about to restart on the station's order."""


class TerminalIdentified(_Fact, frozen=True, tag="terminal-identified"):
    """The terminal blinked, played a sound and showed its name."""


class Power(enum.Enum):
    """The power supply of a terminal, as far as its panel reports it."""

    MAINS = "mains"
    BATTERY = "battery"
    LOW = "low"
    """An almost empty battery."""
    WEAK = "weak"
    """Mains power below the voltage that the board needs."""


class PowerChanged(_Fact, frozen=True, tag="power-changed"):
    """The power supply changed, and stayed so for some seconds."""

    power: Power


class PinsLocked(_Fact, frozen=True, tag="pins-locked"):
    """Wrong PINs locked the keypad for a while. ``wrong`` counts them since the last correct one."""

    wrong: int


TerminalFact = (
    MessageShown
    | MessageConfirmed
    | MessageExpired
    | GlassLocked
    | GlassUnlocked
    | TerminalRestarting
    | TerminalIdentified
    | PowerChanged
    | PinsLocked
)


class TerminalReport(msgspec.Struct, frozen=True, tag="terminal-report", tag_field="body"):
    """The body of a journal entry about the terminal itself. ``orders_done`` is as in ``GameStep``."""

    fact: TerminalFact
    orders_done: int
