"""A judge's message, shown twice on a flat terminal so that both long sides can read it."""

from typing import Final

from kiosk.preferences import Layout
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.page_parts import offer, place_offers
from kiosk.scenes.widgets.strip import strip
from kiosk.ui.blocks import Align, Block, Box, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.ring import GAP_MM, STRIP_MM
from kiosk.view import theme
from kiosk.view.intents import ConfirmMessage
from kiosk.view.station_view import ShownMessage

_TEXT_MM: Final = 9.0
_HEAD_MM: Final = 7.5
_BUTTON_MM: Final = 14.0
_BUTTON_WIDTH_MM: Final = 32.0


class MessageScene:
    """The oldest unconfirmed message, on top of all other scenes."""

    name: Final = "message"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the message with the judge's name, and a button for each half."""
        message = stage.table.station.message
        assert message is not None  # still_holds checks this
        foot, rest = stage.glass.rect.split_bottom(stage.mm(STRIP_MM), stage.mm(0.8))
        room = rest.inset(stage.mm(2))
        if stage.table.preferences.layout is Layout.KEEPER:
            return (_half(stage, message, room), strip(stage, foot))
        far, near = room.rows([1, 1], stage.mm(GAP_MM))
        return (_half(stage, message, far, is_far=True), _half(stage, message, near), strip(stage, foot))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether there is a message to show."""
        return stage.table.station.message is not None


def _half(stage: SceneContext, message: ShownMessage, rect: Rect, *, is_far: bool = False) -> Block:
    mm, _ = stage.mm, stage.shared_words.gettext
    whole = Rect(0, 0, rect.w, rect.h)
    inner = whole.inset(mm(2), mm(1.5))
    side = "-far" if is_far else ""
    confirm = offer(
        stage, f"message-read{side}", _("Read"), Reply((ConfirmMessage(message.message),)),
        size_mm=5, look=ButtonStyle.MAIN, icon="check", enabled=message.may_confirm,
    )  # fmt: skip
    head, rest = inner.split_top(mm(_HEAD_MM), mm(1))
    if rest.w >= 2 * rest.h:
        spot, text = rest.split_right(mm(_BUTTON_WIDTH_MM), mm(2))
        spot = spot.centre(spot.w, min(spot.h, mm(_BUTTON_MM + 4)))
    else:
        spot, text = rest.split_bottom(mm(_BUTTON_MM), mm(1.5))
        spot = spot.centre(min(spot.w, mm(2 * _BUTTON_WIDTH_MM)), spot.h)
    whole_title, brief_title = _titles(stage, message)
    icon, title = head.split_left(mm(_HEAD_MM), mm(1.5))
    parts: tuple[Part, ...] = (
        Box(whole, theme.NOON, mm(1.5)),
        Icon(icon, "bell", theme.SOOT, theme.NOON),
        Label(
            title,
            whole_title,
            mm(5),
            theme.SOOT,
            Typeface.BOLD,
            Align.LEFT,
            own_words=False,
            brief=brief_title,
            least_px=stage.legible_px,
        ),
        Paragraph(text, message.text, mm(_TEXT_MM), theme.SOOT, Typeface.BOLD),
        *place_offers(stage, spot, [[confirm]]),
    )
    return Block(f"message{side}", rect, parts, 2 if is_far else 0)


def _titles(stage: SceneContext, message: ShownMessage) -> tuple[str, str]:
    """Return the judge's name and how many messages follow, in a long and a short form."""
    words = stage.shared_words
    title = words.gettext("Message from {name}").format(name=message.by)
    if not message.after:
        return title, ""
    more = words.ngettext("{count} more message", "{count} more messages", message.after)
    return f"{title} · {more.format(count=message.after)}", f"{title} · +{message.after}"
