"""Turns, life points, High Noon and the Rebel! in words: for the story of the table, and the judge's."""

from collections.abc import Sequence
from typing import assert_never

from saloon.core.game import events as e
from saloon.core.game.rebel_events import RebelEvent, RebelRevealed, RevolutionAsked, RevolutionMade
from saloon.core.words import Words


def turn_told(event: e.TurnStarted, name: str, words: Words) -> str:
    """Whose turn begins, and what it costs at High Noon."""
    if event.loses:
        return words.gettext("Turn of {name}: −{points} life at High Noon").format(
            name=name, points=event.loses
        )
    return words.gettext("Turn of {name}").format(name=name)


def life_told(name: str, points: int, words: Words, *, lost: bool) -> str:
    """Life points that a player, or a character of a duel, lost or regained."""
    if lost:
        text = words.ngettext("{name} loses {points} life point", "{name} loses {points} life points", points)
    else:
        text = words.ngettext(
            "{name} regains {points} life point", "{name} regains {points} life points", points
        )
    return text.format(name=name, points=points)


def rescue_told(event: e.LastLifeSaved, name: str, words: Words) -> str:
    """What kept a player in the game whose last life point was lost."""
    match event.rescue:
        case e.Rescue.BEER:
            return words.gettext("A Beer keeps {name} in the game").format(name=name)
        case e.Rescue.SID_KETCHUM:
            return words.gettext("Two cards keep {name}, Sid Ketchum, in the game").format(name=name)
        case _:
            assert_never(event.rescue)


def noon_told(
    event: e.HighNoonArmed | e.HighNoonBegan | e.HighNoonCalled, names: Sequence[str], words: Words
) -> str:
    """How High Noon comes. names: by seat."""
    _ = words.gettext
    match event:
        case e.HighNoonArmed():
            return _("High Noon is near")
        case e.HighNoonBegan():
            return _("High Noon begins with {name}").format(name=names[event.seat - 1])
        case e.HighNoonCalled():
            return _("The time limit: High Noon begins with the next turn")
        case _:
            assert_never(event)


def rebel_told(event: RebelEvent, name: str, words: Words) -> str:
    """What the Rebel! did, or may have done."""
    _ = words.gettext
    match event:
        case RebelRevealed():
            return _("{name} shows the Rebel!").format(name=name)
        case RevolutionAsked():
            return _("Is {name} the Rebel!?").format(name=name)
        case RevolutionMade():
            return _("Revolution: {name} is the Sheriff").format(name=name)
        case _:
            assert_never(event)
