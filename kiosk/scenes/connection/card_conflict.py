"""A card that must not go on by itself: a copy, one from an old copy, or one of another board."""

from functools import partial
from typing import Final

from saloon.kiosk.scenes.scene import PersistentScene, SceneContext
from saloon.kiosk.scenes.settings.menu import judge_menu_reply
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import Heading, Tone, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle
from saloon.kiosk.view.table_view import CardDoubt


class DisagreementScene(PersistentScene):
    """Nothing is entered any more; the judge decides which card is the right one."""

    name: Final = "disagreement"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Play on paper, call the judge; the judge may start over."""
        _ = stage.words.gettext
        menu = partial(judge_menu_reply, stage)
        judge = offer(stage, "judge-menu", _("Judge"), menu, 3, size_mm=5, look=ButtonStyle.MAIN, icon="key")
        return dialog(stage, _head(stage), (judge,))


def _head(stage: SceneContext) -> Heading:
    _ = stage.words.gettext
    if stage.table.doubt is CardDoubt.FOREIGN:
        text = _(
            "This card was set up in another terminal: it was moved here, or it's a copy. "
            "Everything on it is kept. Continue on paper and call the judge."
        )
        return Heading(_("Another terminal's card"), text, "warning", Tone.LOUD)
    text = _(
        "The station's entries for this terminal don't match this card: it may be a copy. Both "
        "are kept. Continue on paper and call the judge."
    )
    return Heading(_("Two journals disagree"), text, "warning", Tone.LOUD)
