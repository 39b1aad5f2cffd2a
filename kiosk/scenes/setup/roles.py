"""The deal of the role cards, face down."""

from typing import Final

from core.game.setup import DealRoles
from core.game.state.game import Seat
from core.game.state.seats import role_counts
from core.terms import SHERIFF_SEAT, Role
from kiosk.i18n import role_name
from kiosk.scenes.heads.guide import add_rule
from kiosk.scenes.scene import PersistentScene, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, status_parts
from kiosk.scenes.widgets.dialogs import question_page
from kiosk.scenes.widgets.page_parts import Heading, offer, table_offers
from kiosk.ui.blocks import Block, ButtonStyle, Icon, Part
from kiosk.ui.geometry import Rect
from kiosk.view import theme


class RolesScene(PersistentScene):
    """The role cards to deal, and a button to confirm that they are dealt."""

    name: Final = "roles"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw instructions in the middle of the panels, or alone if there is no room for both."""
        _ = stage.words.gettext
        row = role_counts(len(stage.game.seats), stage.edition)
        cards = ", ".join(
            f"{row.count(role)} × {role_name(stage.words, role)}"
            for role in Role
            if role is not Role.SHERIFF and row.count(role)
        )
        text = _("Shuffle {cards}. Deal one to each player except the Sheriff; look only at your own.")
        dealt = offer(
            stage, "roles-dealt", _("Dealt"), command_reply(DealRoles()), 2.6, size_mm=5,
            look=ButtonStyle.MAIN, icon="cards", enabled=stage.allows(DealRoles()),
        )  # fmt: skip
        offers = (dealt, *table_offers(stage))
        head = Heading(
            _("Deal the roles face down"),
            text.format(cards=cards),
            "cards",
            brief=cards,
            brief_title=_("Roles"),
        )
        head = add_rule(stage, head)
        panels = (self._panel(stage, seat) for seat in stage.game.seats)
        return question_page(stage, panels, head, offers)

    def _panel(self, stage: SceneContext, seat: Seat) -> Block:
        stage = stage.in_language_of(seat.seat)
        _ = stage.words.gettext
        parts, body = card(stage, seat, SeatCardState.PLAIN)
        room = body.inset(stage.mm(2), stage.mm(1.5))
        if seat.seat == SHERIFF_SEAT:
            return on_ring(stage, seat, (*parts, *status_parts(stage, room, "star", _("Sheriff"))))
        return on_ring(stage, seat, (*parts, *_face_down(stage, room)))


def _face_down(stage: SceneContext, room: Rect) -> tuple[Part, ...]:
    side = min(stage.mm(12), room.h, room.w)
    return (Icon(room.centre(side, side), "cards", theme.INK_SOFT, theme.PARCHMENT),)
