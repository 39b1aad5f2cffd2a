"""Reports of a terminal about itself: journal entries that belong to no game.

A terminal answers the station's orders about itself (``orders.OrderAboutTerminal``), a judge at the
table may unlock its glass, its power may fail, and wrong PINs may lock its keypad.
"""

import enum

import msgspec

from saloon.core.terms import MessageId


class _Fact(msgspec.Struct, frozen=True, tag=True, tag_field="fact"):
    pass


class MessageShown(_Fact, frozen=True, tag="message-shown"):
    """A message has arrived; it is on the glass, or behind another one."""

    message: MessageId


class MessageConfirmed(_Fact, frozen=True, tag="message-confirmed"):
    """Somebody at the table has confirmed a message by a touch."""

    message: MessageId


class MessageExpired(_Fact, frozen=True, tag="message-expired"):
    """Nobody has confirmed a message in its time; it has gone from the glass."""

    message: MessageId


class GlassLocked(_Fact, frozen=True, tag="glass-locked"):
    """The station has locked the glass."""


class GlassUnlocked(_Fact, frozen=True, tag="glass-unlocked"):
    """The glass is unlocked. is_at_table: by the judge's key or PIN at the table, not by the station."""

    is_at_table: bool = False


class TerminalRestarting(_Fact, frozen=True, tag="terminal-restarting"):
    """The program is about to restart, as the station ordered."""


class TerminalIdentified(_Fact, frozen=True, tag="terminal-identified"):
    """The terminal has blinked, sounded and shown which one it is."""


class Power(enum.Enum):
    """The power supply of a terminal, as far as its panel knows it."""

    MAINS = "mains"
    BATTERY = "battery"
    LOW = "low"
    """A battery that is almost empty."""
    WEAK = "weak"
    """The mains, with less voltage than the board needs."""


class PowerChanged(_Fact, frozen=True, tag="power-changed"):
    """The power supply has changed, and has stayed so for some seconds."""

    power: Power


class PinsLocked(_Fact, frozen=True, tag="pins-locked"):
    """Wrong PINs have locked the keypad for a time. wrong: since the last right one."""

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
    """The body of a journal entry about the terminal itself. orders_done: as of ``GameStep``."""

    fact: TerminalFact
    orders_done: int
