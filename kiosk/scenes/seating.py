"""The check-in of the players at their seats, by touch or by phone, and the deal of the roles."""

from collections.abc import Sequence
from typing import Final

import msgspec

from core.game.setup import CheckIn, CheckInAll, DealRoles
from core.game.state.game import GameState, Phase, Seat
from core.game.state.seats import role_counts
from core.terms import SHERIFF_SEAT, Role
from kiosk.i18n import role_name
from kiosk.scenes.guide import add_rule
from kiosk.scenes.scene import OnTouch, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, status_parts, with_menu
from kiosk.scenes.widgets.dialogs import code_page, question_page, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import (
    command_offer,
    language_button,
    offer,
    page,
    table_offers,
    table_page,
    undo_offer,
)
from kiosk.scenes.widgets.ring_centre import fits_in_the_middle
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Block, Button, ButtonStyle, Icon, Part
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_WIDE_MM: Final = 50.0
"""The width beside the menu button from which a language button fits."""


@scene("seating")
def seating(stage: SceneContext) -> tuple[Block, ...]:
    """Draw a panel to check in for each player, and how many players are missing."""
    _ = stage.words.gettext
    game = stage.game
    missing = _missing(game)
    text = stage.words.ngettext(
        "{count} player is missing. Sit as shown here and tap your own card.",
        "{count} players are missing. Sit as shown here and tap your own card.",
        missing,
    ).format(count=missing)
    brief = _("Missing: {count}").format(count=missing)
    title = _("Table {table} · round {round}").format(table=game.table, round=game.round)
    check_in = command_reply(CheckInAll())
    everyone = offer(stage, "check-in-all", _("Everyone is here"), check_in, 2.4, icon="check")
    number = _("Table {table}").format(table=game.table)
    head = Heading(title, text, "star", brief=brief, brief_title=number)
    offers = (everyone, *table_offers(stage, _undo_offer(stage)))
    if stage.table.sign_in is not None:
        opens, said = sign_in_by_phone(), _("Sign in by phone")
        offers = (offer(stage, "phone-sign-in", _("Phone"), opens, icon="qr", said=said), *offers)
    return table_page(stage, _panel, _with_tournament(stage, add_rule(stage, head), offers), offers)


def _panel(stage: SceneContext, seat: Seat) -> Block:
    _ = stage.words.gettext
    parts, body = card(stage, seat, SeatCardState.PLAIN)
    room, menu = with_menu(stage, body, seat)
    if seat.passive:
        return on_ring(stage, seat, (*parts, *status_parts(stage, room, "away", _("has left"))))
    if seat.checked_in:
        return on_ring(stage, seat, (*parts, *status_parts(stage, room, "check", _("here")), menu))
    language: tuple[Part, ...] = ()
    if room.w >= stage.mm(_WIDE_MM):
        # On narrower cards, only the menu offers the languages.
        spot, room = room.split_right(stage.mm(22), stage.mm(GAP_MM))
        other = language_button(stage, stage.type_mm(5), seat.seat)
        language = (msgspec.structs.replace(other, rect=spot, id=f"seat-{seat.seat}-language"),)
    button = Button(
        room, f"seat-{seat.seat}-check-in", _("I'm here"), ButtonStyle.MAIN, size_px=stage.type_mm(5),
        said=_("{name} is here").format(name=seat.name),
        action=OnTouch(command_reply(CheckIn(seat.seat))),
    )  # fmt: skip
    return on_ring(stage, seat, (*parts, button, *language, menu))


def _with_tournament(stage: SceneContext, head: Heading, offers: Sequence[Offer]) -> Heading:
    """Add the tournament's name to a heading if there is room, as a hall may host several tournaments."""
    title = f"{stage.game.tournament_name} · {head.title}"
    named = msgspec.structs.replace(head, title=title)
    return named if fits_in_the_middle(stage, stage.ring.middle, named, offers) else head


def _undo_offer(stage: SceneContext) -> Offer:
    """Return the undo button, which is disabled and optional until somebody has checked in.

    Before that, only a game that is played again has steps to undo, and only a judge can undo those.
    """
    undo = undo_offer(stage)
    may = undo.button.enabled and any(seat.checked_in or seat.passive for seat in stage.game.seats)
    return msgspec.structs.replace(undo.with_button(enabled=may), is_optional=not may)


def _missing(game: GameState) -> int:
    return sum(not (seat.checked_in or seat.passive) for seat in game.seats)


@scene("phone-sign-in", when=lambda stage: stage.table.sign_in is not None and stage.is_in(Phase.SEATING))
def sign_in_by_phone(stage: SceneContext) -> tuple[Block, ...]:
    """Draw a code to scan with a phone, and how many players are missing."""
    offered = stage.table.sign_in
    if offered is None:
        return page(stage, ())
    _ = stage.words.gettext
    still = _("Missing: {count}").format(count=_missing(stage.game))
    text = _("Scan the code with your phone, then tap your name and choose your language.")
    return code_page(stage, offered, _("Sign in by phone"), text, (still, offered.text))


@scene("roles")
def roles(stage: SceneContext) -> tuple[Block, ...]:
    """Tell the table which role cards to deal."""
    _ = stage.words.gettext
    row = role_counts(len(stage.game.seats), stage.edition)
    cards = ", ".join(
        f"{row.count(role)} × {role_name(stage.words, role)}"
        for role in Role
        if role is not Role.SHERIFF and row.count(role)
    )
    text = _("Shuffle {cards}. Deal one to each player except the Sheriff; look only at your own.")
    dealt = command_offer(
        stage, "roles-dealt", _("Dealt"), DealRoles(), 2.6, look=ButtonStyle.MAIN, icon="cards"
    )
    offers = (dealt, *table_offers(stage))
    title, text = _("Deal the roles face down"), text.format(cards=cards)
    head = add_rule(stage, Heading(title, text, "cards", brief=cards, brief_title=_("Roles")))
    return question_page(stage, _role_panel, head, offers)


def _role_panel(stage: SceneContext, seat: Seat) -> Block:
    _ = stage.words.gettext
    parts, body = card(stage, seat, SeatCardState.PLAIN)
    room = body.inset(stage.mm(2), stage.mm(1.5))
    if seat.seat == SHERIFF_SEAT:
        return on_ring(stage, seat, (*parts, *status_parts(stage, room, "star", _("Sheriff"))))
    side = min(stage.mm(12), room.h, room.w)
    face_down = Icon(room.centre(side, side), "cards", theme.INK_SOFT, theme.PARCHMENT)
    return on_ring(stage, seat, (*parts, face_down))
