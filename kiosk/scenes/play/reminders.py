"""Reminders of special cases, opened from a player's menu."""

from typing import ClassVar

import msgspec

from core.characters import Character
from core.game.ending.rebel import plays_with_rebel
from core.game.state.game import Phase, Seat
from core.rule_set import OptionKey
from core.terms import SeatNo
from kiosk.rules.card import special_case
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.page_parts import page, page_head
from kiosk.ui.blocks import Align, Block, Label, Paragraph, Part, Typeface
from kiosk.view import theme

Reminder = tuple[str, str]
"""The subject, and what applies to it."""


class RemindersScene(msgspec.Struct, frozen=True):
    """The special cases for one seat, turned towards its player."""

    seat: SeatNo

    name: ClassVar[str] = "reminders"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a line for each special case."""
        stage = stage.in_language_of(self.seat)
        _, mm = stage.words.gettext, stage.mm
        seat = stage.seat(self.seat)
        words = _("Special cases: {name}").format(name=seat.name)
        rest, head = page_head(stage, words, size_mm=6.4)
        cases = reminders(stage, seat)
        lines = rest.rows([1] * max(len(cases), _LEAST_LINES), mm(1))
        parts: list[Part] = [*head]
        for line, (about, case) in zip(lines, cases, strict=False):
            left, right = line.split_left(mm(_ABOUT_MM), mm(2))
            parts.append(Label(left, about, mm(4.4), theme.BRASS, Typeface.BOLD, Align.LEFT))
            parts.append(Paragraph(right, case, mm(4.2), theme.CREAM_SOFT))
        return page(stage, parts, "reminders")

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether characters are being chosen or the game is in play."""
        return stage.is_in(Phase.CHARACTERS, Phase.PLAYING)


def reminders(stage: SceneContext, seat: Seat) -> tuple[Reminder, ...]:
    """Return the special cases that a seat's passive state, or its character and the rules, cause.

    Source: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament"; 4 "General case study and FAQ"; The
    Rebel!, Showing up the role.
    """
    if seat.passive:
        return _passive(stage)
    own = () if seat.character is None else _of_character(stage, seat.character)
    if seat.seat == stage.game.sheriff:
        own = (*own, *_ruthless_law(stage))
    return (*own, *_rebel(stage), *_general(stage))


def _passive(stage: SceneContext) -> tuple[Reminder, ...]:
    _ = stage.words.gettext
    return (
        ("Saloon", _("The character gains a life point.")),
        (
            _("General Store"),
            _("When it's the character's turn to choose, discard one of the remaining cards at random."),
        ),
        (_("Barrel"), _("No draw!: a passive character doesn't use the cards in front of it.")),
        (_("Jail, Dynamite"), _("On its turn, draw! for them; the turn is skipped either way.")),
        (_("BANG!, Duel …"), _("It never reacts: nobody plays its cards.")),
        (
            _("Out"),
            _("As normal: a reward for an Outlaw; a Sheriff who eliminates a Deputy loses all cards."),
        ),
    )


def _of_character(stage: SceneContext, character: Character) -> tuple[Reminder, ...]:
    case = special_case(character, stage.edition, stage.words)
    return ((character.value, case),) if case else ()


def _ruthless_law(stage: SceneContext) -> tuple[Reminder, ...]:
    _ = stage.words.gettext
    if OptionKey.RUTHLESS_LAW not in stage.edition.chosen:
        return ()
    return (
        (
            _("Ruthless Law"),
            _("At the end of their turn, the Sheriff mustn't discard a BANG! that could have been played."),
        ),
    )


def _rebel(stage: SceneContext) -> tuple[Reminder, ...]:
    _ = stage.words.gettext
    if not plays_with_rebel(stage.game, stage.edition):
        return ()
    return (
        (
            _("Rebel!"),
            _(
                "The Rebel! may reveal their role on their own turn, after drawing; then the "
                "Sheriff loses no cards for eliminating a Deputy."
            ),
        ),
    )


def _general(stage: SceneContext) -> tuple[Reminder, ...]:
    _ = stage.words.gettext
    return (
        (_("Beer"), _("No effect at full life points or with two players left, but you can still play it.")),
        (_("Jail"), _("Cards in front of a jailed player still work. Discard Jail and the drawn card.")),
        (_("Deck"), _("Reshuffle when you need a card and the deck is empty, even for draw!.")),
        (_("Discarding"), _("Only down to the hand limit, and in any order you like.")),
    )


_LEAST_LINES = 6
_ABOUT_MM = 30
