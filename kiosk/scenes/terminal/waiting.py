"""The screen between games: table number, the station's message and connection."""

from functools import partial
from typing import Final

from kiosk.scenes.pages import ConnectionPage, Enrol
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import (
    Offer,
    judge_menu_reply,
    language_button,
    offer,
    page,
    page_room,
    place_offers,
)
from kiosk.ui.blocks import Align, Block, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.table_view import UpdateShown
from sync.terminal.agent_contract import LinkPhase


class WaitingScene(PersistentScene):
    """The screen between games."""

    name: Final = "waiting"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the table number, readable across the hall, with the message and the buttons."""
        mm = stage.mm
        room = page_room(stage)
        rows = self._rows(stage)
        buttons, room = room.split_bottom(len(rows) * mm(13) + (len(rows) - 1) * mm(GAP_MM), mm(3))
        message, room = room.split_bottom(mm(17), mm(1))
        title, room = room.split_top(mm(9), mm(2))
        star, title_words = title.split_left(mm(9), mm(2))
        number = "–" if stage.table.table is None else str(stage.table.table)
        _ = stage.words.gettext
        parts: tuple[Part, ...] = (
            Icon(star, "star", theme.BRASS, theme.WOOD),
            Label(title_words, _("Table"), mm(8), theme.CREAM_SOFT, Typeface.SIGN, Align.LEFT),
            Label(room, number, min(room.h, mm(62)), theme.CREAM, Typeface.SIGN),
            Paragraph(message, self._message(stage), mm(5.6), theme.CREAM, align=Align.CENTRE),
            *place_offers(stage, buttons, rows),
        )
        return page(stage, parts)

    def _rows(self, stage: SceneContext) -> list[list[Offer]]:
        language = Offer(language_button(stage, stage.mm(4.4)), 1.2)
        _ = stage.words.gettext
        put = partial(offer, stage, size_mm=4.4)
        offers = [
            put("connection", _("Connection"), Reply(opens=ConnectionPage()), icon="link"),
            put("judge-menu", _("Judge"), partial(judge_menu_reply, stage), icon="key"),
        ]
        if stage.table.delivery.link not in {LinkPhase.REVOKED, LinkPhase.REFUSED}:
            return [[language, *offers]]
        # On a narrow screen, four buttons in a row would cut off their labels.
        enrol, look = Reply(opens=Enrol()), ButtonStyle.MAIN
        return [[language, put("enrol", _("Enrol again"), enrol, 1.4, look=look, icon="cable")], offers]

    def _message(self, stage: SceneContext) -> str:
        _ = stage.words.gettext
        if stage.table.message:
            return stage.table.message
        match stage.table.delivery.link:
            case LinkPhase.NOT_ENROLLED:
                return _(
                    "This terminal isn't part of a tournament yet. Judge: copy saloon.toml from "
                    "the station to its card, or type the code from the station's Terminals page."
                )
            case LinkPhase.REFUSED:
                return _("The station doesn't accept this terminal. Judge: enrol it again at the station.")
            case LinkPhase.REVOKED:
                return _("The station doesn't recognise this terminal. Judge: enrol it again.")
            case LinkPhase.SEARCHING:
                return _("Looking for the station. Check the cable; you can start once it's found.")
            case LinkPhase.CONNECTED if stage.table.update.phase is UpdateShown.FETCHING:
                text = _("Ready. Downloading a new version: {percent}%.")
                return text.format(percent=stage.table.update.percent)
            case LinkPhase.CONNECTED if stage.table.table is None:
                return _("Connected. The judge hasn't assigned this terminal to a table yet.")
            case LinkPhase.CONNECTED:
                return _("Ready. The game will appear here once the judge publishes the draw.")
