"""The check-in of the players at their seats, by touch or by phone, then the deal of the roles."""

from collections.abc import Sequence
from typing import Final

import msgspec

from core.game.setup import CheckIn, CheckInAll, DealRoles
from core.game.state.game import GameState, Phase, Seat
from core.game.state.seats import role_counts
from core.terms import SHERIFF_SEAT, Role
from kiosk.i18n import role_name
from kiosk.scenes.guide import add_rule
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, status_parts, with_menu
from kiosk.scenes.widgets.dialogs import question_page, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import (
    back_offer,
    command_offer,
    language_button,
    offer,
    page,
    page_room,
    table_offers,
    table_page,
    undo_offer,
)
from kiosk.scenes.widgets.ring_centre import fits_in_the_middle
from kiosk.scenes.widgets.rows import Offer, place_offers
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Icon, Label, Matrix, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_WIDE_MM: Final = 50.0
"""The minimum width beside the menu button at which a language button fits."""
_BACK_MM: Final = 13.0


@scene("seating")
def seating(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the seats with check-in buttons, and how many players are missing."""
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
    # One more button leaves less room above.
    number = _("Table {table}").format(table=game.table)
    head = Heading(title, text, "star", brief=brief, brief_title=number)
    offers = (everyone, *table_offers(stage, _undo_offer(stage)))
    if stage.table.sign_in is not None:
        offers = (_sign_in_offer(stage), *offers)
    panels = (_panel(stage, seat) for seat in game.seats)
    return table_page(stage, panels, _with_tournament(stage, add_rule(stage, head), offers), offers)


def _panel(stage: SceneContext, seat: Seat) -> Block:
    stage = stage.in_language_of(seat.seat)
    _ = stage.words.gettext
    parts, body = card(stage, seat, SeatCardState.PLAIN)
    room, menu = with_menu(stage, body, seat)
    if seat.passive:
        return on_ring(stage, seat, (*parts, *status_parts(stage, room, "away", _("has left"))))
    if seat.checked_in:
        return on_ring(stage, seat, (*parts, *status_parts(stage, room, "check", _("here")), menu))
    room, language = _language(stage, room, seat)
    button = Button(
        room, f"seat-{seat.seat}-check-in", _("I'm here"), ButtonStyle.MAIN, size_px=stage.type_mm(5),
        said=_("{name} is here").format(name=seat.name),
        action=OnTouch(command_reply(CheckIn(seat.seat))),
    )  # fmt: skip
    return on_ring(stage, seat, (*parts, button, *language, menu))


def _language(stage: SceneContext, room: Rect, seat: Seat) -> tuple[Rect, tuple[Part, ...]]:
    mm = stage.mm
    if room.w < mm(_WIDE_MM):
        return room, ()
    spot, room = room.split_right(mm(22), mm(GAP_MM))
    button = language_button(stage, stage.type_mm(5), seat.seat)
    return room, (msgspec.structs.replace(button, rect=spot, id=f"seat-{seat.seat}-language"),)


def _with_tournament(stage: SceneContext, head: Heading, offers: Sequence[Offer]) -> Heading:
    """Add the tournament's name to a heading if there is room, as a hall may have several tournaments."""
    title = f"{stage.game.tournament_name} · {head.title}"
    named = msgspec.structs.replace(head, title=title)
    return named if fits_in_the_middle(stage, stage.ring.middle, named, offers) else head


def _undo_offer(stage: SceneContext) -> Offer:
    """Return the undo button. Until somebody has checked in, it is disabled, and left out if space is short.

    Before that there is nothing to undo, except in a replayed game, whose steps only a judge can undo.
    """
    offer = undo_offer(stage)
    somebody = any(seat.checked_in or seat.passive for seat in stage.game.seats)
    button = msgspec.structs.replace(offer.button, enabled=offer.button.enabled and somebody)
    return Offer(button, offer.share, is_optional=not button.enabled)


def _missing(game: GameState) -> int:
    return sum(not (seat.checked_in or seat.passive) for seat in game.seats)


@scene("phone-sign-in", when=lambda stage: stage.table.sign_in is not None and stage.is_in(Phase.SEATING))
def sign_in_by_phone(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the code, how to sign in by phone, and how many players are missing."""
    offered = stage.table.sign_in
    if offered is None:
        return page(stage, ())
    _, mm, room = stage.words.gettext, stage.mm, page_room(stage)
    side = min(room.w, room.h)
    place, words = room.split_left(side, mm(3)) if room.w > room.h else room.split_top(side, mm(2))
    buttons, words = words.split_bottom(mm(_BACK_MM), mm(2))
    title, words = words.split_top(mm(8), mm(1))
    address, words = words.split_bottom(mm(9), mm(1))
    count, words = words.split_bottom(mm(7), mm(1))
    still = _("Missing: {count}").format(count=_missing(stage.game))
    text = _("Scan the code with your phone, then tap your name and choose your language.")
    parts: tuple[Part, ...] = (
        Matrix(place, offered.code.size, offered.code.rows),
        Label(title, _("Sign in by phone"), mm(6.4), theme.CREAM, Typeface.BOLD, Align.LEFT),
        Paragraph(words, text, mm(5.2), theme.CREAM_SOFT),
        Label(count, still, mm(5.6), theme.BRASS, Typeface.BOLD, Align.LEFT),
        Paragraph(address, offered.link, mm(3.6), theme.CREAM_SOFT),
        *place_offers(stage, buttons, [[back_offer(stage)]]),
    )
    return page(stage, parts)


def _sign_in_offer(stage: SceneContext) -> Offer:
    words, said = stage.words.gettext("Phone"), stage.words.gettext("Sign in by phone")
    opens = Reply(opens=sign_in_by_phone())
    return offer(stage, "phone-sign-in", words, opens, icon="qr", said=said)


@scene("roles")
def roles(stage: SceneContext) -> tuple[Block, ...]:
    """Draw which role cards to deal, among the panels or alone if there is no room for both."""
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
    head = Heading(
        _("Deal the roles face down"),
        text.format(cards=cards),
        "cards",
        brief=cards,
        brief_title=_("Roles"),
    )
    head = add_rule(stage, head)
    panels = (_role_panel(stage, seat) for seat in stage.game.seats)
    return question_page(stage, panels, head, offers)


def _role_panel(stage: SceneContext, seat: Seat) -> Block:
    stage = stage.in_language_of(seat.seat)
    _ = stage.words.gettext
    parts, body = card(stage, seat, SeatCardState.PLAIN)
    room = body.inset(stage.mm(2), stage.mm(1.5))
    if seat.seat == SHERIFF_SEAT:
        return on_ring(stage, seat, (*parts, *status_parts(stage, room, "star", _("Sheriff"))))
    side = min(stage.mm(12), room.h, room.w)
    face_down = Icon(room.centre(side, side), "cards", theme.INK_SOFT, theme.PARCHMENT)
    return on_ring(stage, seat, (*parts, face_down))
