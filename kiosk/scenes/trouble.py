"""When the terminal itself is at fault: a code, and what to tell the judge. Never a traceback."""

import msgspec

from saloon.kiosk.scenes.dialog import dialog
from saloon.kiosk.scenes.furniture import NOWHERE, Head, Offer, Tone
from saloon.kiosk.scenes.scene import Reply, Stage
from saloon.kiosk.ui.parts import Block, Button, Look


class TroubleScene(msgspec.Struct, frozen=True):
    """code: what the log of the terminal calls the trouble.

    problem: why the terminal cannot start, for those who mend it; empty for trouble at a table.
    is_of_card: whether another card mends it.
    """

    code: str
    problem: str = ""
    is_of_card: bool = False

    @property
    def name(self) -> str:
        """The failsafe."""
        return "trouble"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """Nothing is lost; call the judge; try again."""
        _ = stage.words.gettext
        title = _("Trouble {code}").format(code=self.code)
        if self.problem:
            text, back, icon = self._not_started(stage), _("Try again"), "arrow"
        else:
            text = _(
                "What you have entered is saved. Tell the judge the code, and go on with paper "
                "if the screen does not come back."
            )
            back, icon = _("Back to the table"), "back"
        button = Button(NOWHERE, "dismiss", back, Look.MAIN, icon, size_px=stage.mm(5))
        blocks = dialog(stage, Head(title, text, "warning", Tone.LOUD), (Offer(button, 3),))
        # Nothing runs that could know what was received, or what time it is.
        return tuple(_emptied(block) if self.problem and block.id == "strip" else block for block in blocks)

    def _not_started(self, stage: Stage) -> str:
        _ = stage.words.gettext
        if self.is_of_card:
            what = _(
                "This terminal cannot start: its card cannot be read, or takes nothing more. Judge: put a "
                "spare card in, or take a spare terminal. Keep this card: what was saved on it may still be "
                "read."
            )
        else:
            what = _(
                "This terminal cannot start. Tell the judge the code. Play with paper, or take a spare "
                "terminal; what was saved is kept."
            )
        return f"{what}\n{self.problem}"

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Tries the table again."""
        del stage
        return Reply(closes=target == "dismiss")

    def still_holds(self, stage: Stage) -> bool:
        """Until somebody has read it."""
        del stage
        return True


def _emptied(block: Block) -> Block:
    return msgspec.structs.replace(block, parts=())
