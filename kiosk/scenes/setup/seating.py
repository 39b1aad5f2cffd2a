"""The check-in of the players at their seats."""

from typing import Final

import msgspec

from saloon.core.game.commands import CheckIn
from saloon.core.game.state import Seat
from saloon.kiosk.scenes.scene import OnTouch, PersistentScene, SceneContext, command_reply
from saloon.kiosk.scenes.settings.language import language_button
from saloon.kiosk.scenes.story.guide import add_rule
from saloon.kiosk.scenes.widgets.card import SeatCardState, card, on_ring, with_menu
from saloon.kiosk.scenes.widgets.page_parts import Heading, Offer, table_offers, table_page, undo_offer
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Align, Block, Button, ButtonStyle, Icon, Label, Part, Typeface
from saloon.kiosk.ui.ring import GAP_MM
from saloon.kiosk.view import theme

_WIDE_MM: Final = 50.0
"""The least width beside the menu for a language button on a card."""


class SeatingScene(PersistentScene):
    """The players' names around the edge, each with a check-in button."""

    name: Final = "seating"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the seating and the number of players who are still missing."""
        _ = stage.words.gettext
        game = stage.game
        missing = sum(not (seat.checked_in or seat.passive) for seat in game.seats)
        text = stage.words.ngettext(
            "{count} player is missing. Sit as shown here and tap your own card.",
            "{count} players are missing. Sit as shown here and tap your own card.",
            missing,
        ).format(count=missing)
        brief = _("Missing: {count}").format(count=missing)
        title = _("Table {table} · round {round}").format(table=game.table, round=game.round)
        head = add_rule(stage, Heading(title, text, "star", brief=brief))
        offers = table_offers(stage, _undo_offer(stage))
        panels = (self._panel(stage, seat) for seat in game.seats)
        return table_page(stage, panels, head, offers)

    def _panel(self, stage: SceneContext, seat: Seat) -> Block:
        stage = stage.in_language_of(seat.seat)
        _ = stage.words.gettext
        parts, body = card(stage, seat, SeatCardState.PLAIN)
        room, menu = with_menu(stage, body, seat)
        if seat.passive:
            return on_ring(stage, seat, (*parts, *status_parts(stage, room, "away", _("has left"))))
        if seat.checked_in:
            return on_ring(stage, seat, (*parts, *status_parts(stage, room, "check", _("here")), menu))
        room, language = self._language(stage, room, seat)
        button = Button(
            room, f"seat-{seat.seat}-check-in", _("I'm here"), ButtonStyle.MAIN, size_px=stage.type_mm(5),
            said=_("{name} is here").format(name=seat.name),
            action=OnTouch(command_reply(CheckIn(seat.seat))),
        )  # fmt: skip
        return on_ring(stage, seat, (*parts, button, *language, menu))

    def _language(self, stage: SceneContext, room: Rect, seat: Seat) -> tuple[Rect, tuple[Part, ...]]:
        """Return a language button where the card is wide enough; on all others the menu has it."""
        mm = stage.mm
        if room.w < mm(_WIDE_MM):
            return room, ()
        spot, room = room.split_right(mm(22), mm(GAP_MM))
        button = language_button(stage, stage.type_mm(5), seat.seat)
        return room, (msgspec.structs.replace(button, rect=spot, id=f"seat-{seat.seat}-language"),)


def status_parts(stage: SceneContext, room: Rect, icon: str, words: str) -> tuple[Part, ...]:
    """Return an icon and a word for a player with nothing left to do."""
    spot, text = room.inset(stage.mm(1), 0).split_left(stage.mm(5.5), stage.mm(1))
    return (
        Icon(spot, icon, theme.INK),
        Label(text, words, stage.type_mm(5), theme.INK, Typeface.BOLD, Align.LEFT),
    )


def _undo_offer(stage: SceneContext) -> Offer:
    """Return the undo button, disabled before the first check-in.

    Before it there is nothing, or a game that is replayed, which only the judge restores.
    """
    offer = undo_offer(stage)
    somebody = any(seat.checked_in or seat.passive for seat in stage.game.seats)
    button = msgspec.structs.replace(offer.button, enabled=offer.button.enabled and somebody)
    return Offer(button, offer.share)
