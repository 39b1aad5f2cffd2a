"""The connection page: its current state, and the known addresses of stations."""

from typing import Final

from kiosk.scenes.connection.enrol import AddressScene
from kiosk.scenes.connection.link_words import age_words, counter_words, finding_words, phase_words
from kiosk.scenes.scene import OnTouch, PersistentScene, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import Heading, back_button, head_parts, page, page_room
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import AskLink
from sync.ports.addresses import route_name
from sync.terminal.agent_contract import ForgetAddress, LinkPhase, UseAddress

_ROWS: Final = 4
_ROW_MM: Final = 12.0


class ConnectionScene(PersistentScene):
    """The connection page, with the state on one side and addresses to try on the other."""

    name: Final = "connection"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the most important facts in large type and the counters in small type."""
        mm, gap = stage.mm, stage.mm(GAP_MM)
        room = page_room(stage)
        buttons, room = room.split_bottom(mm(_ROW_MM), gap)
        report = stage.table.link
        if report.phase is LinkPhase.CONNECTED and not (report.typed or report.found):
            words: Rect = room
            list_room: Rect | None = None
        elif room.w >= room.h:
            words, list_room = room.columns([1, 1], mm(4))
        else:
            words, list_room = room.rows([0.8, 1], gap)
        listed = () if list_room is None else self._addresses(stage, list_room)
        parts = (
            *self._words(stage, words),
            *listed,
            *self._buttons(stage, buttons),
        )
        return page(stage, parts)

    def _words(self, stage: SceneContext, room: Rect) -> tuple[Part, ...]:
        _ = stage.words.gettext
        mm = stage.mm
        report = stage.table.link
        title, room = room.split_top(mm(10), mm(1))
        phase, room = room.split_top(mm(7), mm(1))
        spoke, room = room.split_top(mm(6), mm(1))
        small, room = room.split_bottom(mm(9), mm(1))
        return (
            *head_parts(stage, title, Heading(_("Connection"), icon="link")),
            Label(phase, phase_words(stage, report), mm(5.4), theme.CREAM, Typeface.BOLD, Align.LEFT),
            Label(spoke, age_words(stage, report), mm(4.4), theme.CREAM_SOFT, align=Align.LEFT),
            Paragraph(room, finding_words(stage, report), mm(5), theme.CREAM),
            Paragraph(small, counter_words(stage, report), mm(3.4), theme.CREAM_SOFT),
        )

    def _addresses(self, stage: SceneContext, room: Rect) -> tuple[Part, ...]:
        _ = stage.words.gettext
        mm, gap = stage.mm, stage.mm(GAP_MM)
        report = stage.table.link
        stations = tuple(station for station in report.found if station.address not in report.typed)
        if not report.typed and not stations:
            return (
                Paragraph(
                    room,
                    _("No station found in this hall. You'll find its address on its Terminals page."),
                    mm(4.4),
                    theme.CREAM_SOFT,
                ),
            )
        parts: list[Part] = []
        title, room = room.split_top(mm(7), mm(1))
        parts.append(Label(title, _("Tap an address to try it"), mm(4.4), theme.CREAM_SOFT, align=Align.LEFT))
        typed = report.typed[:_ROWS]
        for address in typed:
            line, room = room.split_top(mm(_ROW_MM), gap)
            cross, line = line.split_right(mm(_ROW_MM), gap)
            said = _("Forget {address}").format(address=address)
            parts.append(_try_button(stage, line, address, _("typed here")))
            forget = OnTouch(Reply(intents=(AskLink(ForgetAddress(address)),)))
            parts.append(Button(cross, f"forget {address}", "", icon="cross", said=said, action=forget))
        for station in stations[: _ROWS - len(typed)]:
            line, room = room.split_top(mm(_ROW_MM), gap)
            parts.append(_try_button(stage, line, station.address, _("found in this hall")))
        return tuple(parts)

    def _buttons(self, stage: SceneContext, room: Rect) -> tuple[Part, ...]:
        _ = stage.words.gettext
        back, rest = room.split_left(stage.mm(34), stage.mm(GAP_MM))
        size = stage.mm(4.4)
        return (
            back_button(stage, back, 4.4),
            Button(
                rest,
                "type-address",
                _("Type an address"),
                icon="pencil",
                size_px=size,
                action=OnTouch(Reply(opens=AddressScene())),
            ),
        )


def _try_button(stage: SceneContext, line: Rect, address: str, origin: str) -> Button:
    current = stage.table.link.way == route_name(address)
    look = ButtonStyle.CHOSEN if current else ButtonStyle.CARD
    attempt = OnTouch(Reply(intents=(AskLink(UseAddress(address)),)))
    size = stage.mm(4.8)
    return Button(line, f"try {address}", address, look, small=origin, size_px=size, action=attempt)
