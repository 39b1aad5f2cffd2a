"""The screen for a fault of the terminal itself: a code and instructions, never a traceback."""

from typing import ClassVar

import msgspec

from saloon.kiosk.scenes.scene import CLOSE, PersistentScene, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Heading, Tone, dialog, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle


class TroubleScene(PersistentScene, msgspec.Struct, frozen=True):
    """A fault of the terminal. code: of this fault in the terminal's log.

    problem: the reason why the terminal cannot start, for repairers; empty for a fault during play.
    is_of_card: whether another card fixes it.
    """

    code: str
    problem: str = ""
    is_of_card: bool = False

    name: ClassVar[str] = "trouble"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the code, the instructions and a button to try again."""
        _ = stage.words.gettext
        title = _("Error {code}").format(code=self.code)
        if self.problem:
            text, back, icon = self._not_started(stage), _("Try again"), "arrow"
        else:
            text = _(
                "Everything you've entered is saved. Tell the judge the code, and continue on "
                "paper if the screen doesn't come back."
            )
            back, icon = _("Back to the table"), "back"
        leave = offer(stage, "dismiss", back, CLOSE, 3, size_mm=5, look=ButtonStyle.MAIN, icon=icon)
        blocks = dialog(stage, Heading(title, text, "warning", Tone.LOUD), (leave,))
        # Nothing runs that knows the entries received or the time.
        return tuple(_emptied(block) if self.problem and block.id == "strip" else block for block in blocks)

    def _not_started(self, stage: SceneContext) -> str:
        _ = stage.words.gettext
        if self.is_of_card:
            what = _(
                "This terminal can't start: its card can't be read, or can't be written any "
                "more. Judge: insert a spare card, or use a spare terminal. Keep this card: what "
                "was saved on it may still be readable."
            )
        else:
            what = _(
                "This terminal can't start. Tell the judge the code. Play on paper, or use a "
                "spare terminal; everything saved is kept."
            )
        return f"{what}\n{self.problem}"


def _emptied(block: Block) -> Block:
    return msgspec.structs.replace(block, parts=())
