"""The code that players scan to sign in by phone, as large as the glass allows."""

from typing import Final

from saloon.core.game.state import Phase
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Offer, back_offer, offer, page, page_room, place_offers
from saloon.kiosk.ui.parts import Align, Block, Label, Matrix, Paragraph, Part, Typeface
from saloon.kiosk.view import theme

_BUTTON_MM: Final = 13.0


class PhoneSignInScene:
    """The code, what to do with it, and how many players are missing."""

    name: Final = "phone-sign-in"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the code on the left, or above on an upright glass."""
        offered = stage.table.sign_in
        if offered is None:
            return page(stage, ())
        _, mm, room = stage.words.gettext, stage.mm, page_room(stage)
        side = min(room.w, room.h)
        place, words = room.split_left(side, mm(3)) if room.w > room.h else room.split_top(side, mm(2))
        buttons, words = words.split_bottom(mm(_BUTTON_MM), mm(2))
        title, words = words.split_top(mm(8), mm(1))
        address, words = words.split_bottom(mm(9), mm(1))
        count, words = words.split_bottom(mm(7), mm(1))
        missing = sum(not (seat.checked_in or seat.passive) for seat in stage.game.seats)
        still = _("Missing: {count}").format(count=missing)
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

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether somebody can still sign in by phone."""
        return stage.table.sign_in is not None and stage.is_in(Phase.SEATING)


def sign_in_offer(stage: SceneContext) -> Offer:
    """Return the button that opens the code."""
    words, said = stage.words.gettext("Phone"), stage.words.gettext("Sign in by phone")
    opens = Reply(opens=PhoneSignInScene())
    return offer(stage, "phone-sign-in", words, opens, size_mm=3.6, icon="qr", said=said)
