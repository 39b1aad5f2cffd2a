"""The page that announces an update, before and during its installation."""

from typing import Final

from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.page_parts import Heading, dialog, offer, page, page_room
from kiosk.ui.blocks import Align, Block, ButtonStyle, Icon, Label, Paragraph, Typeface
from kiosk.view import theme
from kiosk.view.intents import PutOffUpdate
from kiosk.view.table_view import UpdateShown


class NewVersionScene:
    """The announcement of an update between games, which can be postponed."""

    name: Final = "new-version"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Explain how long the restart takes, and that no entries are lost."""
        _ = stage.words.gettext
        version = stage.table.update.version
        if stage.table.update.shown is UpdateShown.APPLYING:
            return _applying(stage)
        head = Heading(
            _("New version: {version}").format(version=version),
            _(
                "The terminal will restart by itself in a moment. The screen will be dark for "
                "about half a minute; nothing you've entered will be lost."
            ),
            "star",
        )
        put_off, look = Reply((PutOffUpdate(),), closes=True), ButtonStyle.MAIN
        later = offer(stage, "update-later", _("Not now"), put_off, 2.4, look=look, icon="back")
        return dialog(stage, head, (later,))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether an update is announced or being installed."""
        return is_update_announced(stage.table.update.shown)


def is_update_announced(shown: UpdateShown) -> bool:
    """Return whether an update has to be announced."""
    return shown in {UpdateShown.SOON, UpdateShown.APPLYING}


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
