"""Pages that the terminal opens itself: a fault, a notice, the shutdown question and an update."""

from typing import ClassVar, Final

import msgspec

from kiosk.scenes.scene import CLOSE, Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, draw_dialog, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.heading import head_parts
from kiosk.scenes.widgets.page_parts import HOLD_MS, offer, page, page_room
from kiosk.scenes.widgets.ring_centre import fits_in_the_middle, middle
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Align, Block, ButtonStyle, Icon, Label, Paragraph, Typeface
from kiosk.ui.geometry import Rect, rotated_size
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import AnswerShutDown, DismissNotice, PutOffUpdate
from kiosk.view.panel_view import ShutDown
from kiosk.view.table_view import UpdateShown


def is_update_announced(stage: SceneContext) -> bool:
    return stage.table.update.phase in {UpdateShown.SOON, UpdateShown.APPLYING}


@scene("new-version", when=is_update_announced)
def new_version(stage: SceneContext) -> Dialog | tuple[Block, ...]:
    """Announce the restart for an update, which can be postponed, or show that it is being installed."""
    _ = stage.words.gettext
    if stage.table.update.phase is UpdateShown.APPLYING:
        return _applying(stage)
    title = _("New version: {version}").format(version=stage.table.update.version)
    text = _(
        "The terminal will restart by itself in a moment. The screen will be dark for "
        "about half a minute; nothing you've entered will be lost."
    )
    put_off, look = Reply((PutOffUpdate(),), closes=True), ButtonStyle.MAIN
    later = offer(stage, "update-later", _("Not now"), put_off, 2.4, look=look, icon="back")
    return Dialog(stage, Heading(title, text, "star"), (later,), back=None)


def _applying(stage: SceneContext) -> tuple[Block, ...]:
    mm, _ = stage.mm, stage.words.gettext
    whole = page_room(stage)
    room = whole.centre(min(whole.w, mm(120)), min(whole.h, mm(58)))
    sign, room = room.split_top(mm(16), mm(3))
    title, room = room.split_top(mm(12), mm(2))
    text = _(
        "The new version is being checked and installed, then the terminal will restart. Please "
        "leave it switched on. If it doesn't start properly, the old version will return by "
        "itself."
    )
    words = _("Version {version}").format(version=stage.table.update.version)
    parts = (
        Icon(sign, "star", theme.BRASS, theme.WOOD),
        Label(title, words, mm(9), theme.CREAM, Typeface.SIGN),
        Paragraph(room, text, mm(5), theme.CREAM, align=Align.CENTRE),
    )
    return page(stage, parts)


def is_shutting_down(stage: SceneContext) -> bool:
    return stage.table.parts.shut_down is not ShutDown.NO


@scene("shut-down", when=is_shutting_down)
def shut_down(stage: SceneContext) -> Dialog:
    """Ask whether to shut down, or show that the system refused."""
    _, main = stage.words.gettext, ButtonStyle.MAIN
    no, yes = (Reply((AnswerShutDown(is_yes=answer),), closes=True) for answer in (False, True))
    if stage.table.parts.shut_down is ShutDown.FAILED:
        head = Heading(_("Can't shut down"), _("The system refused. Call the organiser."), "warning")
        fine = offer(stage, "shut-down-no", _("OK"), no, 2.4, look=main, icon="check")
        return Dialog(stage, head, (fine,), back=None)
    text = _("Wait until the screen goes black before you unplug it.")
    if stage.table.game is not None:
        text = _("A game is in progress. It's saved and will continue when the terminal restarts.")
    head = Heading(_("Shut down the terminal?"), text, "warning", Tone.LOUD)
    stay, leave, grave = _("No, carry on"), _("Hold: shut down"), ButtonStyle.GRAVE
    offers = (
        offer(stage, "shut-down-no", stay, no, 2.4, look=main, icon="back"),
        offer(stage, "shut-down-yes", leave, yes, 2.4, look=grave, hold_ms=HOLD_MS),
    )
    return Dialog(stage, head, offers, back=None)


_WIDE_MM: Final = 60.0
_LOW_MM: Final = 36.0
"""The height up to which the button is beside the text, which needs the whole height."""
_BUTTON_MM: Final = 20.0


def add_notice(stage: SceneContext, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Draw the current notice over a scene, in the middle of the ring or instead of a page."""
    if not stage.table.notice and not stage.table.done:
        return blocks
    _ = stage.words.gettext
    head = Heading(stage.table.notice, "", "warning", Tone.LOUD)
    if not stage.table.notice:
        head = Heading(stage.table.done, "", "key")
    gone = Reply((DismissNotice(),))
    read = offer(stage, "dismiss", _("OK"), gone, 2, look=ButtonStyle.MAIN, icon="check")
    if not any(block.id == "middle" for block in blocks):
        return draw_dialog(stage, head, (read,))
    return tuple(
        _in_the_middle(stage, block, head, read) if block.id == "middle" else block for block in blocks
    )


def _in_the_middle(stage: SceneContext, block: Block, head: Heading, read: Offer) -> Block:
    mm, turns = stage.mm, stage.quarter_turns
    if turns % 2 and not fits_in_the_middle(stage, block.rect, head, (read,)):
        turns = block.quarter_turns
    width, height = rotated_size(block.rect, turns)
    if width < mm(_WIDE_MM) or height > mm(_LOW_MM):
        return middle(stage, block.rect, head, (read,), quarter_turns=turns)
    spot, room = Rect(0, 0, width, height).split_right(mm(_BUTTON_MM), mm(GAP_MM))
    button = msgspec.structs.replace(read.button, rect=spot)
    return Block("middle", block.rect, (*head_parts(stage, room, head), button), turns)


class TroubleScene(msgspec.Struct, frozen=True):
    """A fault of the terminal.

    code: identifies the fault in the log.
    problem: why the terminal can't start, for technicians; empty for a fault during play.
    is_of_card: replacing the memory card fixes it.
    """

    code: str
    problem: str = ""
    is_of_card: bool = False

    name: ClassVar[str] = "trouble"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the code, instructions, and a button to leave the page or to start again."""
        _ = stage.words.gettext
        title = _("Error {code}").format(code=self.code)
        text = _(
            "Everything you've entered is saved. Tell the judge the code, and continue on "
            "paper if the screen doesn't come back."
        )
        back, icon = _("Back to the table"), "back"
        if self.problem:
            text = _(
                "This terminal can't start. Tell the judge the code. Play on paper, or use a "
                "spare terminal; everything saved is kept."
            )
            if self.is_of_card:
                text = _(
                    "This terminal can't start: its card can't be read, or can't be written any "
                    "more. Judge: insert a spare card, or use a spare terminal. Keep this card: what "
                    "was saved on it may still be readable."
                )
            text, back, icon = f"{text}\n{self.problem}", _("Try again"), "arrow"
        leave = offer(stage, "dismiss", back, CLOSE, 3, look=ButtonStyle.MAIN, icon=icon)
        blocks = draw_dialog(stage, Heading(title, text, "warning", Tone.LOUD), (leave,))
        # Before the start, neither the delivery nor the clock is known.
        return tuple(
            msgspec.structs.replace(block, parts=()) if self.problem and block.id == "strip" else block
            for block in blocks
        )

    def still_holds(self, stage: SceneContext) -> bool:
        del stage
        return True
