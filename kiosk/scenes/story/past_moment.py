"""An earlier moment of the table, read only, and undoing all steps since then."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

import msgspec

from core.game.state.decisions import Undo
from core.game.state.game import GameState, Phase
from kiosk.scenes.heads.guide import describe_lost_steps
from kiosk.scenes.play.life_panel import life_panel
from kiosk.scenes.scene import Reply, SceneContext, command_reply
from kiosk.scenes.widgets.dialogs import Dialog, dialog, draw_dialog
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Offer, ask_judge, back_offer, offer, table_page
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.table_view import StoryLine

_IN_PLAY = frozenset({Phase.PLAYING, Phase.ENDED, Phase.SHEET, Phase.CONFIRMED})


class MomentScene(msgspec.Struct, frozen=True):
    """The table at an earlier moment.

    index: the moment's index.
    by_judge: as for ``StoryScene``.
    """

    index: int
    by_judge: bool = False

    name: ClassVar[str] = "moment"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the panels at that moment around a description of the last step."""
        then = state_at(stage, self.index)
        _, put = stage.words.gettext, partial(offer, stage, share=1.3, size_mm=4.2)
        ends, last = [0, *(line.moment for line in stage.table.story)], len(stage.moments) - 1
        earlier = msgspec.structs.replace(self, index=max((n for n in ends if n < self.index), default=0))
        later = msgspec.structs.replace(self, index=min((n for n in ends if n > self.index), default=last))
        may_later = steps_since(stage, self.index) > 0
        offers = (
            back_offer(stage, 1.2),
            put(
                "moment-earlier",
                _("Earlier"),
                Reply(becomes=earlier),
                enabled=self.index > 0,
                may_repeat=True,
            ),
            put("moment-later", _("Later"), Reply(becomes=later), enabled=may_later, may_repeat=True),
            _step_offer(stage, self.index, by_judge=self.by_judge),
        )
        head = Heading(_title(stage, then), _line_at(stage, self.index), "story")
        if then.phase not in _IN_PLAY or then.duel is not None:
            return draw_dialog(stage, head, offers)
        past = msgspec.structs.replace(
            stage, table=msgspec.structs.replace(stage.table, game=then), changes=()
        )
        panels = (life_panel(past, seat, touchable=False) for seat in then.seats)
        return table_page(past, panels, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        return self.index < len(stage.moments)


def _may_undo(stage: SceneContext, index: int, *, by_judge: bool = False) -> bool:
    del by_judge
    return 0 < steps_since(stage, index) <= stage.table.may_undo


@dialog("step-back", holds=_may_undo)
def undo_steps(stage: SceneContext, index: int, *, by_judge: bool = False) -> Dialog:
    """Confirm that steps are undone. index: moment to restore. by_judge: as for ``StoryScene``.

    Undoing steps before the current turn needs a judge, or the PIN.
    """
    _, ngettext = stage.words.gettext, stage.words.ngettext
    steps = steps_since(stage, index)
    title = ngettext("Undo {count} step?", "Undo {count} steps?", steps).format(count=steps)
    hold = ngettext("Hold: undo {count} step", "Hold: undo {count} steps", steps)
    # Return to the table, which shows the result; the story records the undo.
    undo: Reply | Callable[[], Reply] = Reply(command_reply(Undo(steps)).intents, leaves=True)
    words = hold.format(count=steps)
    is_free = by_judge or stage.table.judge_present or steps <= stage.table.may_undo_freely
    if not is_free:
        undo = partial(ask_judge, stage, Undo(steps), leaves=True)
        words = _("Judge: {what}").format(what=words)
    button = offer(
        stage, "undo-steps", words, undo, 4.4, look=ButtonStyle.GRAVE, icon="undo" if is_free else "lock",
        enabled=0 < steps <= stage.table.may_undo, hold_ms=HOLD_MS,
    )  # fmt: skip
    head = Heading(title, describe_lost_steps(stage, range(index + 1, len(stage.moments))), "undo")
    return Dialog(stage, head, (back_offer(stage, 1.6), button))


def state_at(stage: SceneContext, index: int) -> GameState:
    return stage.moments[index].state if stage.moments else stage.game


def steps_since(stage: SceneContext, index: int) -> int:
    """Return how many steps were made since a moment."""
    return max(0, len(stage.moments) - 1 - index)


def _title(stage: SceneContext, then: GameState) -> str:
    _ = stage.words.gettext
    return (
        _("Turn {number}, as it was").format(number=then.turns) if then.turns else _("Before the first turn")
    )


def _line_at(stage: SceneContext, index: int) -> str:
    line: StoryLine | None = None
    for candidate in stage.table.story:
        if candidate.moment - candidate.steps < index:
            line = candidate
    return "" if line is None else line.text


def _step_offer(stage: SceneContext, index: int, *, by_judge: bool) -> Offer:
    _, ngettext = stage.words.gettext, stage.words.ngettext
    steps = steps_since(stage, index)
    label, said = _("Now"), ""
    if steps:
        label = f"{_('Undo')}: {steps}"
        said = ngettext("Undo {count} step?", "Undo {count} steps?", steps).format(count=steps)
    may = 0 < steps <= stage.table.may_undo
    undo = Reply(opens=undo_steps(index, by_judge=by_judge))
    return offer(stage, "step-back", label, undo, 2, size_mm=4.2, icon="undo", said=said, enabled=may)
