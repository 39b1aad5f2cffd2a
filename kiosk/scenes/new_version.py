"""A new version of the program begins: said before, and while the system puts it in place."""

from typing import Final

from saloon.kiosk import theme
from saloon.kiosk.intents import PutOffUpdate
from saloon.kiosk.scenes.dialog import dialog
from saloon.kiosk.scenes.furniture import NOWHERE, Head, Offer, page
from saloon.kiosk.scenes.scene import Reply, Stage
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Align, Block, Button, Face, Icon, Label, Look, Paragraph
from saloon.kiosk.update_view import UpdateShown


class NewVersionScene:
    """Shown between games only; whoever needs the terminal now puts it off."""

    name: Final = "new-version"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """What happens, how long it takes, and that nothing is lost."""
        _ = stage.words.gettext
        version = stage.table.update.version
        if stage.table.update.shown is UpdateShown.APPLYING:
            return _applying(stage)
        head = Head(
            _("A new version: {version}").format(version=version),
            _(
                "The terminal starts anew by itself in a moment. The screen stays dark for about "
                "half a minute; nothing that was entered is lost."
            ),
            "star",
        )
        later = Button(NOWHERE, "update-later", _("Not now"), Look.MAIN, "back", size_px=stage.mm(4.8))
        return dialog(stage, head, (Offer(later, 2.4),))

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Later, or nothing."""
        del stage
        return Reply((PutOffUpdate(),), closes=True) if target == "update-later" else Reply()

    def still_holds(self, stage: Stage) -> bool:
        """Until it is put off or done."""
        return announces(stage.table.update.shown)


def announces(shown: UpdateShown) -> bool:
    """Whether this scene is to be seen."""
    return shown in {UpdateShown.SOON, UpdateShown.APPLYING}


def _applying(stage: Stage) -> tuple[Block, ...]:
    mm, _ = stage.mm, stage.words.gettext
    rect, foot = page(stage)
    room = Rect(0, 0, rect.w, rect.h).centred(min(rect.w, mm(120)), min(rect.h, mm(58)))
    sign, room = room.top(mm(16), mm(3))
    title, room = room.top(mm(12), mm(2))
    text = _(
        "It is checked and put in place, then the terminal starts anew. Please leave it switched on. "
        "If the new version does not come up, the old one returns by itself."
    )
    words = _("Version {version}").format(version=stage.table.update.version)
    return (
        Block(
            "page",
            rect,
            (
                Icon(sign, "star", theme.BRASS, theme.WOOD),
                Label(title, words, mm(9), theme.CREAM, Face.SIGN),
                Paragraph(room, text, mm(5), theme.CREAM, align=Align.CENTRE),
            ),
        ),
        foot,
    )
