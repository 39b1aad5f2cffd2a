"""Scenes that accept no entries: a voided game, a replaced terminal, or conflicting journals."""

from functools import partial
from typing import Final

import msgspec

from kiosk.scenes.connection.offline_transfer import carry_offer, is_offered
from kiosk.scenes.scene import PersistentScene, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import (
    Heading,
    Offer,
    Tone,
    judge_menu_reply,
    menu_offer,
    offer,
    page,
    page_room,
    place_offers,
)
from kiosk.ui.blocks import Align, Block, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.table_view import CardDoubt


@dialog("disagreement")
def journals_disagree(stage: SceneContext) -> Dialog:
    """Tell the players that journals conflict: continue on paper and call the judge, who may start over."""
    _ = stage.words.gettext
    menu = partial(judge_menu_reply, stage)
    judge = offer(stage, "judge-menu", _("Judge"), menu, 3, size_mm=5, look=ButtonStyle.MAIN, icon="key")
    return Dialog(stage, _head(stage), (judge,))


def _head(stage: SceneContext) -> Heading:
    _ = stage.words.gettext
    if stage.table.doubt is CardDoubt.FOREIGN:
        text = _(
            "This card was set up in another terminal: it was moved here, or it's a copy. "
            "Everything on it is kept. Continue on paper and call the judge."
        )
        return Heading(_("Another terminal's card"), text, "warning", Tone.LOUD)
    text = _(
        "The station's entries for this terminal don't match this card: it may be a copy. Both "
        "are kept. Continue on paper and call the judge."
    )
    return Heading(_("Two journals disagree"), text, "warning", Tone.LOUD)


_MENU_MM: Final = 40.0
_CARRY_MM: Final = 64.0
_WORDS_MM: Final = 5.0
"""The smallest text size in the buttons."""


class VoidedScene(PersistentScene):
    """The page of a voided game."""

    name: Final = "voided"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain that the game doesn't count, and that the table has to wait."""
        _ = stage.words.gettext
        text = _(
            "The judge has voided this game: it doesn't count. Stay here until the judge tells you more."
        )
        return closing_page(stage, "cross", _("Game voided"), text)


class RelievedScene(PersistentScene):
    """The page of a replaced terminal."""

    name: Final = "relieved"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain that another terminal has the game, and that no entries are lost."""
        _, delivery = stage.words.gettext, stage.table.delivery
        if delivery.received >= delivery.entered:
            text = _(
                "Another terminal has taken over this game: continue there. The station has "
                "everything that was entered here."
            )
        else:
            text = _(
                "Another terminal has taken over this game: continue there. The last entries "
                "made here are saved; leave this terminal on until the station has received them."
            )
        return closing_page(stage, "back", _("Replaced"), text)


class TakingOverScene(PersistentScene):
    """The page of a terminal that is receiving a game from the one that it replaces."""

    name: Final = "taking-over"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show how much of the game is still to be received."""
        text = stage.words.ngettext(
            "The game is coming from the terminal that was here before. {count} step to go.",
            "The game is coming from the terminal that was here before. {count} steps to go.",
            stage.table.steps_to_come,
        ).format(count=stage.table.steps_to_come)
        return closing_page(stage, "story", stage.words.gettext("Taking over"), text)


def closing_page(stage: SceneContext, icon: str, title: str, text: str) -> tuple[Block, ...]:
    """Draw a page with an icon, a title, the table's number, a text, and the final buttons."""
    mm, _ = stage.mm, stage.words.gettext
    buttons, room = page_room(stage).split_bottom(mm(13), mm(2))
    room = room.centre(min(room.w, mm(120)), min(room.h, mm(62)))
    sign, room = room.split_top(mm(20), mm(3))
    words, room = room.split_top(mm(12), mm(2))
    table = _("Table {table} · round {round}").format(table=stage.game.table, round=stage.game.round)
    number, room = room.split_top(mm(6), mm(1))
    parts: tuple[Part, ...] = (
        Icon(sign, icon, theme.BRASS, theme.WOOD),
        Label(words, title, mm(11), theme.CREAM, Typeface.SIGN),
        Label(number, table, mm(5), theme.CREAM_SOFT),
        Paragraph(room, text, mm(5), theme.CREAM, align=Align.CENTRE),
        *place_offers(stage, *closing_offers(stage, buttons)),
    )
    return page(stage, parts)


def closing_offers(stage: SceneContext, buttons: Rect) -> tuple[Rect, list[list[Offer]]]:
    """Return the area of the final buttons, and the buttons: the menu, and transfer without a connection."""
    mm, delivery = stage.mm, stage.table.delivery
    owes = delivery.received < delivery.entered and is_offered(stage)
    offers = [
        Offer(msgspec.structs.replace(small.button, size_px=mm(_WORDS_MM)), small.share)
        for small in (menu_offer(stage), *([carry_offer(stage, 1.6)] if owes else []))
    ]
    place = buttons.centre(min(buttons.w, mm(_MENU_MM + owes * _CARRY_MM)), buttons.h)
    return place, [offers]
