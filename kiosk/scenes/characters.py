"""Each player shows the chosen character; a touch of the own panel opens the choice."""

from typing import Final

from saloon.core.game.commands import BeginGame
from saloon.core.game.state import Seat
from saloon.kiosk.scenes.abandonment import PlayerMenuScene
from saloon.kiosk.scenes.card import Mood, card, on_ring, with_menu
from saloon.kiosk.scenes.choice import ChoiceScene, life_words
from saloon.kiosk.scenes.furniture import (
    NOWHERE,
    Head,
    Offer,
    common,
    judge_offer,
    menu_offer,
    middle,
    strip,
    undo_offer,
)
from saloon.kiosk.scenes.menu import MenuScene
from saloon.kiosk.scenes.scene import Reply, Stage, asks, seat_in
from saloon.kiosk.ui.parts import Block, Button, Look


class CharactersScene:
    """Who plays whom."""

    name: Final = "characters"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """Panels with the chosen characters, and the start of the game."""
        _ = stage.words.gettext
        dealt = stage.edition.characters.dealt
        text = _("Deal {count} characters to each player; keep one, all show theirs together.")
        begin = Button(
            NOWHERE, "begin-game", _("Begin"), Look.MAIN, "arrow", size_px=stage.mm(5),
            enabled=stage.allows(BeginGame()),
        )  # fmt: skip
        offers = (Offer(begin, 2.2), undo_offer(stage), judge_offer(stage), menu_offer(stage))
        head = Head(_("Choose a character"), text.format(count=dealt), "cards")
        return (
            *(self._panel(stage, seat) for seat in stage.game.seats),
            middle(stage, stage.ring.middle, head, offers),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Opens a choice, or begins."""
        del stage
        match target:
            case "begin-game":
                return asks(BeginGame())
            case "menu":
                return Reply(opens=MenuScene())
            case _ if target.endswith(("-character", "-change")):
                return Reply(opens=ChoiceScene(seat_in(target)))
            case _ if target.endswith("-menu"):
                return Reply(opens=PlayerMenuScene(seat_in(target)))
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """It is chosen anew for every moment."""
        del stage
        return True

    def _panel(self, stage: Stage, seat: Seat) -> Block:
        _ = stage.words.gettext
        parts, body = card(stage, seat, Mood.PLAIN)
        room, menu = with_menu(stage, body, seat)
        chosen = seat.character
        button = Button(
            room,
            f"seat-{seat.seat}-{'character' if chosen is None else 'change'}",
            _("Choose") if chosen is None else chosen.value,
            Look.MAIN if chosen is None else Look.QUIET,
            small="" if chosen is None else life_words(stage, seat.seat, chosen),
            size_px=stage.mm(5),
            said=_("Character of {name}").format(name=seat.name),
        )
        return on_ring(stage, seat, (*parts, button, menu))
