"""Descriptions of a duel's events, for the game's log."""

from collections.abc import Sequence
from typing import assert_never

from core.game.duel.fight import CarryWounds, CharacterHealed, ChooseLine, EnterCharacter, WoundCharacter
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.duel.steps import CharacterOut, DuelTurnStarted, DuelWon
from core.game.events import EventOfDuel
from core.game.in_words import describe_life
from core.game.state.duel import BETTER_PLACED, Advantage
from core.words import Words


def describe_duel_event(event: EventOfDuel, names: Sequence[str], words: Words) -> str:  # noqa: C901 (one line for each kind of event)
    """Describe one event. ``names`` are listed by seat."""
    _ = words.gettext
    match event:
        case TurnUpCharacters():
            return _("The characters are turned face up")
        case TakeAdvantage(advantage=advantage):
            name = names[BETTER_PLACED - 1]
            text = _("{name} picks first") if advantage is Advantage.PICK_FIRST else _("{name} starts")
            return text.format(name=name)
        case PickCharacter(seat=seat, character=character):
            return _("{name} picks {character}").format(name=names[seat - 1], character=character.value)
        case ShowLine(seat=seat, front=front, rear=rear):
            text = _("{name}: {front} in front, {rear} at the rear")
            return text.format(name=names[seat - 1], front=front.value, rear=rear.value)
        case DrawStarter(seat=seat):
            return _("{name} starts").format(name=names[seat - 1])
        case EnterCharacter(seat=seat, character=character):
            return _("{name} brings in {character}").format(name=names[seat - 1], character=character.value)
        case DuelTurnStarted(seat=seat):
            return _("{name}'s turn").format(name=names[seat - 1])
        case ChooseLine(front=front, jailed=jailed):
            chosen = _("{front} in front").format(front=front.value)
            held = "" if jailed is None else _("{character} in Jail").format(character=jailed.value)
            return f"{chosen}; {held}" if held else chosen
        case WoundCharacter(character=character, points=points):
            return describe_life(character.value, points, words, lost=True)
        case CharacterHealed(character=character, points=points):
            return describe_life(character.value, points, words, lost=False)
        case CarryWounds(seat=seat, points=points):
            text = words.ngettext(
                "{name}: {points} wound carried over", "{name}: {points} wounds carried over", points
            )
            return text.format(name=names[seat - 1], points=points)
        case CharacterOut(seat=seat, character=character):
            return _("{name}'s {character} is eliminated").format(
                name=names[seat - 1], character=character.value
            )
        case DuelWon(winner=winner):
            return _("{name} wins the duel").format(name=names[winner - 1])
        case _:
            assert_never(event)
