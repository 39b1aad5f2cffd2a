"""Ask whether the player in turn, who has eliminated the Sheriff, is the Rebel!."""

from typing import Final

from saloon.core.game.commands import AnswerRevolution
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.play.life_panel import life_panel
from saloon.kiosk.scenes.play.rebel_news import NewSheriffScene
from saloon.kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.story.guide import guided
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Tone, offer, table_page, undo_offer
from saloon.kiosk.ui.parts import Block, ButtonStyle


class RevolutionScene(PersistentScene):
    """The Revolution question, turned to that player; not secret, as the role card is shown now anyway."""

    name: Final = "revolution"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show all panels around the edge and the question in the middle."""
        seat = stage.seat(_asked(stage))
        stage = stage.in_language_of(seat.seat)
        _ = stage.words.gettext
        head = Heading(
            _("Is {name} the Rebel!?").format(name=seat.name),
            _("You eliminated the Sheriff. If you're the Rebel!, show your card now."),
            "star",
            Tone.LOUD,
            brief=_("Show your card."),
            brief_title=seat.name,
        )
        yes, no = (AnswerRevolution(seat.seat, is_rebel=is_it) for is_it in (True, False))
        revolution = Reply(command_reply(yes).intents, opens=NewSheriffScene(seat.seat))
        offers = (
            offer(
                stage, "revolution-yes", _("Yes"), revolution, 2, look=ButtonStyle.MAIN, icon="star",
                hold_ms=HOLD_MS, said=_("Yes: Revolution"),
            ),
            offer(
                stage, "revolution-no", _("No"), command_reply(no), 2, look=ButtonStyle.GRAVE, icon="cards",
                hold_ms=HOLD_MS, said=_("No: the game is over"),
            ),
            undo_offer(stage, 1.2),
        )  # fmt: skip
        panels = (life_panel(stage, other, touchable=False) for other in stage.game.seats)
        return table_page(stage, panels, guided(stage, head), offers)


def _asked(stage: SceneContext) -> SeatNo:
    seat = stage.game.revolution_question
    assert seat is not None  # the scene is chosen only with the question
    return seat
