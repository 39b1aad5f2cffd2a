"""The screen between games, and a table that is locked during a game."""

from functools import partial

from kiosk.scenes import pages
from kiosk.scenes.duel import duel_half
from kiosk.scenes.guide import with_high_noon
from kiosk.scenes.play.play import plain_panel
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    judge_menu_reply,
    judge_offer,
    language_button,
    offer,
    page,
    page_room,
    table_page,
)
from kiosk.scenes.widgets.rows import Offer, place_offers
from kiosk.ui.blocks import Align, Block, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import LockTable
from kiosk.view.table_view import UpdateShown
from sync.terminal.agent_contract import LinkPhase


@scene("waiting")
def waiting(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the table number, readable across the hall, with a message and buttons."""
    mm = stage.mm
    room = page_room(stage)
    rows = _rows(stage)
    buttons, room = room.split_bottom(len(rows) * mm(13) + (len(rows) - 1) * mm(GAP_MM), mm(3))
    message, room = room.split_bottom(mm(17), mm(1))
    title, room = room.split_top(mm(9), mm(2))
    star, title_words = title.split_left(mm(9), mm(2))
    number = "–" if stage.table.table is None else str(stage.table.table)
    parts: tuple[Part, ...] = (
        Icon(star, "star", theme.BRASS, theme.WOOD),
        Label(title_words, stage.words.gettext("Table"), mm(8), theme.CREAM_SOFT, Typeface.SIGN, Align.LEFT),
        Label(room, number, min(room.h, mm(62)), theme.CREAM, Typeface.SIGN),
        Paragraph(message, _message(stage), mm(5.6), theme.CREAM, align=Align.CENTRE),
        *place_offers(stage, buttons, rows),
    )
    return page(stage, parts)


def _rows(stage: SceneContext) -> list[list[Offer]]:
    language = Offer(language_button(stage, stage.mm(4.4)), 1.2)
    _ = stage.words.gettext
    put = partial(offer, stage, size_mm=4.4)
    offers = [
        put("connection", _("Connection"), pages.CONNECTION, icon="link"),
        put("judge-menu", _("Judge"), judge_menu_reply(stage), icon="key"),
    ]
    if stage.table.delivery.link not in {LinkPhase.REVOKED, LinkPhase.REFUSED}:
        return [[language, *offers]]
    # On a narrow screen, four buttons in a row would cut off their labels.
    enrol = put("enrol", _("Enrol again"), pages.ENROL, 1.4, look=ButtonStyle.MAIN, icon="cable")
    return [[language, enrol], offers]


def _message(stage: SceneContext) -> str:
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


@scene("locked")
def locked_table(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the panels without buttons, and the lock in the middle."""
    game = stage.game
    if game.duel is None:
        stage = stage.for_turn_player()
    _ = stage.words.gettext
    turn = game.turn if game.duel is None else game.duel.turn
    text = "" if turn is None else _("{name}'s turn").format(name=stage.seat(turn).name)
    unlock = offer(
        stage, "unlock", _("Hold to unlock"), Reply(intents=(LockTable(is_locked=False),)), 2.4,
        look=ButtonStyle.MAIN, icon="lock", hold_ms=HOLD_MS,
    )  # fmt: skip
    panel = plain_panel if game.duel is None else partial(duel_half, touchable=False)
    # Water drops must not call the judge.
    offers = (unlock,) if stage.table.is_wet else (unlock, judge_offer(stage))
    head = Heading(_("The table is locked"), text, "lock", brief_title=_("Locked"), is_optional=True)
    if stage.table.is_wet:
        text = _("Drops touch the glass. Dry it, then check the last entries.")
        head = Heading(_("Dry the glass"), text, "warning", Tone.LOUD, is_optional=True)
    if game.duel is None:
        head = with_high_noon(stage, head)
    return table_page(stage, panel, head, offers)
