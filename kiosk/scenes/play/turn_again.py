"""A player who had the turn a moment ago is named again: back to that turn, or a whole round on."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import SetTurn, Undo
from saloon.core.game.events import DeckReshuffled, PlayerEliminated, TurnStarted
from saloon.core.game.play.turn_back import steps_back_to_turn
from saloon.core.game.play.turns import set_turn
from saloon.core.game.state import Phase
from saloon.core.terms import SeatNo
from saloon.kiosk.intents import AskGame
from saloon.kiosk.scenes.judge.pin import ask_judge
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.story.past_moment import describe_lost_steps
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Offer, Tone, back_offer, dialog, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle


class TurnAgainScene(msgspec.Struct, frozen=True):
    """The question about a seat's turn: the last one, or the next one. then: what to ask once it is set."""

    seat: SeatNo
    then: tuple[AskGame, ...] = ()

    name: ClassVar[str] = "turn-again"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw both turns and their consequences, turned to the player who was named."""
        stage = stage.in_language_of(self.seat)
        _, game = stage.words.gettext, stage.game
        name, other = (stage.seat(seat).name for seat in (self.seat, game.turn or game.sheriff))
        forward = Reply(intents=(AskGame(SetTurn(self.seat), is_certain=True), *self.then), closes=True)
        offers = (
            *self._back(stage, name),
            offer(
                stage, "round-on", _("A whole round on"), forward, 2.6, look=ButtonStyle.CARD, icon="arrow"
            ),
            back_offer(stage, 2.4, label=_("No, {name}'s turn").format(name=other)),
        )
        title = _("{name}'s turn again?").format(name=name)
        head = Heading(title, self._consequences(stage), "question", Tone.LOUD)
        return dialog(stage, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the turn can still be set."""
        return stage.is_in(Phase.PLAYING) and self._steps(stage) > 0 and stage.allows(SetTurn(self.seat))

    def _back(self, stage: SceneContext, name: str) -> tuple[Offer, ...]:
        """Return the way back: free within the current turn, for the judge beyond it.

        A turn that was passed is set once the steps since are undone, which the judge's PIN alone cannot do.
        """
        _, steps, timeline = stage.words.gettext, self._steps(stage), stage.table.timeline
        if timeline is None or not 0 < steps <= stage.table.may_undo:
            return ()
        was_passed = timeline.moments[-1 - steps].state.turn != self.seat
        if steps <= stage.table.may_undo_freely:
            turn = (AskGame(SetTurn(self.seat), is_certain=True),) if was_passed else ()
            back = Reply(intents=(AskGame(Undo(steps)), *turn, *self.then), closes=True)
            if self._loses_more_than_turns(stage):
                words = _("Hold: back to {name}'s turn").format(name=name)
                grave = ButtonStyle.GRAVE
                return (offer(stage, "turn-back", words, back, 3, look=grave, icon="undo", hold_ms=HOLD_MS),)
            words = _("Back to {name}'s turn").format(name=name)
            return (offer(stage, "turn-back", words, back, 3, look=ButtonStyle.MAIN, icon="undo"),)
        if was_passed:
            return ()
        words = _("Judge: back to {name}'s turn").format(name=name)
        by_judge = msgspec.structs.replace(ask_judge(stage, Undo(steps)), closes=True)
        return (offer(stage, "turn-back", words, by_judge, 3, icon="undo"),)

    def _consequences(self, stage: SceneContext) -> str:
        """Say what going back undoes, and what a whole round takes from the players."""
        ngettext, steps = stage.words.ngettext, self._steps(stage)
        started = [
            event
            for event in set_turn(stage.game, SetTurn(self.seat), stage.edition)
            if isinstance(event, TurnStarted)
        ]
        turns, points = len(started) - 1, sum(event.loses for event in started)
        back = ngettext("Going back undoes {count} step.", "Going back undoes {count} steps.", steps)
        on = ngettext("A whole round passes {count} turn.", "A whole round passes {count} turns.", turns)
        noon = ngettext("High Noon takes {count} life point.", "High Noon takes {count} life points.", points)
        lost = back.format(count=steps)
        if self._loses_more_than_turns(stage):
            assert stage.table.timeline is not None  # the steps are its moments
            lost = describe_lost_steps(stage, len(stage.table.timeline.moments) - 1 - steps)
        told = (lost, on.format(count=turns), noon.format(count=points) if points else "")
        return " ".join(filter(None, told))

    def _loses_more_than_turns(self, stage: SceneContext) -> bool:
        """Return whether going back takes back an elimination or a reshuffle, which nobody named."""
        timeline, steps = stage.table.timeline, self._steps(stage)
        return timeline is not None and any(
            isinstance(event, PlayerEliminated | DeckReshuffled)
            for moment in timeline.moments[len(timeline.moments) - steps :]
            for event in moment.step.events
        )

    def _steps(self, stage: SceneContext) -> int:
        return steps_back_to_turn(stage.table.timeline, self.seat) or 0
