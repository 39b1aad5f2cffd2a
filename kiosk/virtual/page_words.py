"""The text around the picture on the page of a virtual terminal, in the terminal's language."""

from collections.abc import Mapping

from saloon.hardware.contract import Lamp
from saloon.kiosk.i18n import Words


def page_words(words: Words) -> Mapping[str, str]:
    """Return the page's sentences by the names that its script knows."""
    _ = words.gettext
    return {
        "title": _("Virtual terminal"),
        "skip": _("Skip to screen"),
        "tools": _("Page tools"),
        "screen": _("Screen"),
        "panel": _("Panel"),
        "sound": _("Sound"),
        "turn": _("Rotate the table"),
        "keys": _("Keyboard"),
        "lamp": _("Lamp"),
        "buzzer": _("Buzzer"),
        "sounding": _("Buzzer: sounding"),
        "reshuffle": _("Reshuffle"),
        "end-turn": _("End turn"),
        "call-judge": _("Judge"),
        "shut-down": _("Shut down"),
        "key": _("Judge's key"),
        "lit": _("{button}, lit"),
        "hold": _("{target}, hold"),
        "broken": _("Broken: {parts}"),
        "connecting": _("Looking for the terminal…"),
        "connected": _("The terminal is on. Whatever you tap here is tapped at its table."),
        "away": _("Terminal disconnected; reconnecting…"),
        "unofficial": _("Unofficial. BANG! is a trademark of its owner."),
        **_lamp_words(words),
        **_key_words(words),
    }


def _lamp_words(words: Words) -> Mapping[str, str]:
    _ = words.gettext
    said = {
        Lamp.OFF: _("off"),
        Lamp.WAITING: _("waiting"),
        Lamp.PLAYING: _("playing"),
        Lamp.HIGH_NOON: _("High Noon"),
        Lamp.JUDGE_CALLED: _("judge called"),
        Lamp.ENDED: _("the game is over"),
        Lamp.TROUBLE: _("fault"),
    }
    return {f"lamp-{lamp.value}": _("Lamp: {what}").format(what=what) for lamp, what in said.items()}


def _key_words(words: Words) -> Mapping[str, str]:
    """Return the description of each key of the keyboard."""
    _ = words.gettext
    return {
        "keys-tab": _("moves to the next control"),
        "keys-arrows": _("moves to the control on that side"),
        "keys-enter": _("taps it, or holds it while the key is down"),
        "keys-r": _("Reshuffle"),
        "keys-e": _("End turn"),
        "keys-j": _("calls the judge"),
        "keys-k": _("turns the judge's key"),
        "keys-s": _("Sound"),
        "keys-t": _("Rotate the table"),
    }
