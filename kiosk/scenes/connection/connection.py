"""The connection page: its state in words, the known addresses of stations, and an address to type."""

from typing import Final

from kiosk.i18n import Words
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.heading import head_parts
from kiosk.scenes.widgets.keyboard import ADDRESS_KEYS, typing_page
from kiosk.scenes.widgets.page_parts import back_button, beside_rotation, page, page_room
from kiosk.scenes.widgets.ring_centre import NOWHERE
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import AskLink
from kiosk.view.table_view import FileProblem
from sync.ports.addresses import complete_address, is_address, route_name
from sync.terminal.agent_contract import ForgetAddress, LinkPhase, LinkReport, UseAddress


def file_words(words: Words, problem: FileProblem) -> str:
    """Explain what is wrong with a provisioning file, and what is allowed there."""
    if problem.fault is None:
        said = words.gettext("The file couldn't be read or written. System message: {detail}")
        return said.format(detail=problem.detail)
    said = words.gettext(problem.fault.value).format(**dict(problem.fields))
    return f"{problem.key}: {said}" if problem.key else said[:1].upper() + said[1:]


def file_notice(words: Words, problem: FileProblem) -> str:
    """Return one sentence about an invalid provisioning file, for a terminal that works without it."""
    _ = words.gettext
    said = file_words(words, problem)
    if problem.line:
        return _("The file on the card can't be used. Line {line}: {problem}").format(
            line=problem.line, problem=said
        )
    return _("The file on the card can't be used. {problem}").format(problem=said)


_MINUTE_S = 60
_MOMENT_S = 10


def phase_words(stage: SceneContext, report: LinkReport) -> str:
    """Describe the connection in one line: connected, searching or refused."""
    _ = stage.words.gettext
    match report.phase:
        case LinkPhase.CONNECTED:
            if report.way.startswith("serial "):
                return _("Connected by cable")
            return _("Connected to {address}").format(address=report.way.removeprefix("tcp "))
        case LinkPhase.REVOKED:
            return _("No longer recognised")
        case LinkPhase.REFUSED:
            return _("Not accepted")
        case LinkPhase.NOT_ENROLLED:
            return _("Not enrolled")
        case LinkPhase.SEARCHING:
            return _("Looking for the station")


def age_words(stage: SceneContext, report: LinkReport) -> str:
    """Describe how long ago the station was last heard."""
    _ = stage.words.gettext
    if report.heard_at_ms is None:
        return _("No contact with the station since startup")
    age_s = max(0, stage.table.now_ms - report.heard_at_ms) // 1000
    if age_s < _MOMENT_S:
        return _("Last contact: just now")
    in_seconds, in_minutes = _("{n} s").format(n=age_s), _("{n} min").format(n=age_s // _MINUTE_S)
    age = in_seconds if age_s < _MINUTE_S else in_minutes
    return _("Last contact: {age} ago").format(age=age)


def finding_words(stage: SceneContext, report: LinkReport) -> str:
    """Explain why the last attempt to connect failed; empty if it succeeded."""
    if report.finding is None:
        return ""
    return stage.words.gettext(report.finding.value).format(**report.fields)


def counter_words(stage: SceneContext, report: LinkReport) -> str:
    """Describe the connection's counters in one line, for engineers."""
    _ = stage.words.gettext
    delivery = stage.table.delivery
    words = _("not received {owes} · attempts {tries} · connections {connections}").format(
        owes=delivery.entered - delivery.received, tries=report.tries, connections=report.connections
    )
    figures = report.figures
    if figures is not None:
        words += " · " + _("frames {sent}, resent {again}, invalid {invalid}, {srtt} ms").format(
            sent=figures.frames_sent,
            again=figures.frames_sent_again,
            invalid=figures.frames_invalid,
            srtt=figures.srtt_ms,
        )
    return words


@scene("address")
def type_address(stage: SceneContext, typed: str = "") -> tuple[Block, ...]:
    """Draw a keyboard for the address of a station."""
    _ = stage.words.gettext
    address = complete_address(typed)
    attempt = Reply(intents=(AskLink(UseAddress(address)),), closes=True)
    done = Button(
        NOWHERE, "try", _("Try it"), ButtonStyle.MAIN, "check", enabled=is_address(address),
        action=OnTouch(attempt),
    )  # fmt: skip
    return typing_page(stage, ADDRESS_KEYS, typed, done, hint=_("e.g. 192.168.1.10"), after=type_address)


_ROWS: Final = 4
_ROW_MM: Final = 12.0


@scene("connection")
def connection_page(stage: SceneContext) -> tuple[Block, ...]:
    """Show the connection's state on one side, and addresses to try on the other."""
    mm, gap = stage.mm, stage.mm(GAP_MM)
    room = page_room(stage)
    buttons, room = room.split_bottom(mm(_ROW_MM), gap)
    buttons, rotation = beside_rotation(stage, buttons)
    report = stage.table.link
    if report.phase is LinkPhase.CONNECTED and not (report.typed or report.found):
        words, list_room = room, None
    elif room.w >= room.h:
        words, list_room = room.columns([1, 1], mm(4))
    else:
        words, list_room = room.rows([0.8, 1], gap)
    listed = () if list_room is None else _addresses(stage, list_room)
    back, rest = buttons.split_left(mm(34), gap)
    label, opens = stage.words.gettext("Type an address"), OnTouch(type_address())
    other = Button(rest, "type-address", label, icon="pencil", size_px=mm(4.4), action=opens)
    return page(stage, (*_words(stage, words), *listed, *rotation, back_button(stage, back, 4.4), other))


def _words(stage: SceneContext, room: Rect) -> tuple[Part, ...]:
    mm = stage.mm
    report = stage.table.link
    title, room = room.split_top(mm(10), mm(1))
    phase, room = room.split_top(mm(7), mm(1))
    spoke, room = room.split_top(mm(6), mm(1))
    small, room = room.split_bottom(mm(9), mm(1))
    return (
        *head_parts(stage, title, Heading(stage.words.gettext("Connection"), icon="link")),
        Label(phase, phase_words(stage, report), mm(5.4), theme.CREAM, Typeface.BOLD, Align.LEFT),
        Label(spoke, age_words(stage, report), mm(4.4), theme.CREAM_SOFT, align=Align.LEFT),
        Paragraph(room, finding_words(stage, report), mm(5), theme.CREAM),
        Paragraph(small, counter_words(stage, report), mm(3.4), theme.CREAM_SOFT),
    )


def _addresses(stage: SceneContext, room: Rect) -> tuple[Part, ...]:
    _ = stage.words.gettext
    mm, gap = stage.mm, stage.mm(GAP_MM)
    report = stage.table.link
    stations = tuple(station for station in report.found if station.address not in report.typed)
    if not report.typed and not stations:
        text = _("No station found in this hall. You'll find the address on the station's Terminals page.")
        return (Paragraph(room, text, mm(4.4), theme.CREAM_SOFT),)
    title, room = room.split_top(mm(7), mm(1))
    hint = _("Tap an address to try it")
    parts: list[Part] = [Label(title, hint, mm(4.4), theme.CREAM_SOFT, align=Align.LEFT)]
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


def _try_button(stage: SceneContext, line: Rect, address: str, origin: str) -> Button:
    current = stage.table.link.way == route_name(address)
    look = ButtonStyle.CHOSEN if current else ButtonStyle.CARD
    attempt = OnTouch(Reply(intents=(AskLink(UseAddress(address)),)))
    size = stage.mm(4.8)
    return Button(line, f"try {address}", address, look, small=origin, size_px=size, action=attempt)
