"""The choice of language, for the table or for one player's panel."""

from typing import ClassVar

import msgspec

from base.languages import LANGUAGES
from core.terms import SeatNo
from kiosk.preferences import Spoken
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, back_offer, dialog, offer
from kiosk.ui.blocks import Block, Button, ButtonStyle
from kiosk.view.intents import ChangePreferences


class LanguageScene(msgspec.Struct, frozen=True):
    """The list of languages by their native names. seat: the player's; None for the whole table."""

    seat: SeatNo | None = None

    name: ClassVar[str] = "language"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a button for each language; for a player, also one for the table's language."""
        if self.seat is None:
            _ = stage.words.gettext
            text = _("To choose a different language for your own panel, hold it.")
            return dialog(stage, Heading(_("Table language"), text, "speech"), self._offers(stage))
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        text = _("Your panel and everything facing you will use this language. The middle won't change.")
        head = Heading(stage.seat(self.seat).name, text, "speech")
        return dialog(stage, head, self._offers(stage))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the seat is still in a game; always True for the whole table."""
        game = stage.table.game
        return self.seat is None or (game is not None and self.seat <= len(game.seats))

    def _offers(self, stage: SceneContext) -> tuple[Offer, ...]:
        chosen = stage.table.language if self.seat is None else _own(stage, self.seat)
        choices = [(f"language-{code}", name, code) for code, name in LANGUAGES.items()]
        if self.seat is not None:
            choices.append(("language-of-the-table", stage.words.gettext("Same as table"), ""))
        offers = (
            offer(
                stage, target, name, self._speak(stage, code), 2.4,
                look=ButtonStyle.CHOSEN if code == chosen else ButtonStyle.QUIET,
            )
            for target, name, code in choices
        )  # fmt: skip
        return (*offers, back_offer(stage, 1.6))

    def _speak(self, stage: SceneContext, language: str) -> Reply:
        """Return the reply that changes the language; empty for the table's language."""
        if self.seat is None:
            chosen = msgspec.structs.replace(stage.table.preferences, language=language)
            return Reply(intents=(ChangePreferences(chosen),), closes=True)
        spoken = Spoken(stage.game.tournament, stage.seat(self.seat).player, language)
        return Reply(intents=(ChangePreferences(stage.table.preferences.speaking(spoken)),), closes=True)


def language_button(stage: SceneContext, size_px: int, seat: SeatNo | None = None) -> Button:
    """Return the button that opens the list of languages, labelled with the current one."""
    words = stage.words
    return Button(
        NOWHERE, "language", LANGUAGES.get(words.language, words.language), icon="speech",
        said=words.gettext("Language"), size_px=size_px, action=OnTouch(Reply(opens=LanguageScene(seat))),
    )  # fmt: skip


def _own(stage: SceneContext, seat: SeatNo) -> str:
    return stage.table.preferences.language_of(stage.game.tournament, stage.seat(seat).player)
