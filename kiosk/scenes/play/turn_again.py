"""The question that appears when a player is given the turn twice: the last turn again, or the next."""

from typing import ClassVar

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.game.decide import GameCommand, decide
from core.game.events import evolve
from core.game.play.turns import SetTurn, TurnStarted
from core.game.state.decisions import Undo
from core.game.state.game import GameState, Phase
from core.game.timeline import entries_of, steps_back_to_turn
from core.terms import SeatNo
from kiosk.scenes.heads.guide import describe_lost_steps
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.page_parts import HOLD_MS, Heading, Offer, Tone, ask_judge, back_offer, offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.intents import AskGame


class TurnAgainScene(msgspec.Struct, frozen=True):
    """The question about a seat's turn: the last one or the next. ``then`` is what to ask afterwards."""

    seat: SeatNo
    then: tuple[AskGame, ...] = ()

    name: ClassVar[str] = "turn-again"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw both turns and their consequences, turned towards that player."""
        stage = stage.in_language_of(self.seat)
        _, game = stage.words.gettext, stage.game
        name, other = (stage.seat(seat).name for seat in (self.seat, game.turn or game.sheriff))
        forward = Reply(intents=(AskGame(SetTurn(self.seat), is_certain=True), *self.then), closes=True)
        offers = (
            *self._back(stage, name),
            offer(
                stage,
                "round-on",
                _("A whole round has passed"),
                forward,
                2.6,
                look=ButtonStyle.CARD,
                icon="arrow",
            ),
            back_offer(stage, 2.4, label=_("No, {name}'s turn").format(name=other)),
        )
        title = _("{name}'s turn again?").format(name=name)
        head = Heading(title, self._consequences(stage), "question", Tone.LOUD)
        return draw_dialog(stage, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the turn can still be set."""
        return stage.is_in(Phase.PLAYING) and self._steps(stage) > 0 and stage.allows(SetTurn(self.seat))

    def _back(self, stage: SceneContext, name: str) -> tuple[Offer, ...]:
        """Return the button to go back and keep later entries; before this turn, a judge must do it."""
        _, steps = stage.words.gettext, self._steps(stage)
        if not 0 < steps <= stage.table.may_undo:
            return ()
        entries, undo, style = self._entries(stage), Undo(steps), ButtonStyle.MAIN
        if steps > stage.table.may_undo_freely:
            words = _("Judge: back to {name}'s turn").format(name=name)
            by_judge = msgspec.structs.replace(ask_judge(stage, undo, more=entries.kept), closes=True)
            return (offer(stage, "turn-back", words, by_judge, 3, icon="undo"),)
        intent = AskGame(undo, is_certain=True, more=entries.kept)
        back = Reply(intents=(intent, *self.then), closes=True)
        words = _("Back to {name}'s turn").format(name=name)
        if not entries.lost:
            return (offer(stage, "turn-back", words, back, 3, look=style, icon="undo"),)
        words, style = _("Hold: back to {name}'s turn").format(name=name), ButtonStyle.GRAVE
        return (offer(stage, "turn-back", words, back, 3, look=style, icon="undo", hold_ms=HOLD_MS),)

    def _consequences(self, stage: SceneContext) -> str:
        """Describe what going back undoes, and what going on to the next round costs the players."""
        ngettext, steps = stage.words.ngettext, self._steps(stage)
        started = [
            event
            for event in SetTurn(self.seat).decide(stage.game, stage.edition)
            if isinstance(event, TurnStarted)
        ]
        turns, points = len(started) - 1, sum(event.loses for event in started)
        undone = stage.game.turns - stage.moments[-1 - steps].state.turns
        back = ngettext(
            "Going back undoes {count} turn. Everything else stays as entered.",
            "Going back undoes {count} turns. Everything else stays as entered.",
            undone,
        ).format(count=undone)
        on = ngettext("A whole round skips {count} turn.", "A whole round skips {count} turns.", turns)
        noon = ngettext("High Noon takes {count} life point.", "High Noon takes {count} life points.", points)
        entries = self._entries(stage)
        if entries.lost:
            back = describe_lost_steps(stage, entries.lost)
        sentences = (back, on.format(count=turns), noon.format(count=points) if points else "")
        return " ".join(filter(None, sentences))

    def _entries(self, stage: SceneContext) -> "_Entries":
        """Replay everything entered since that turn, as part of that turn."""
        steps, moments = self._steps(stage), stage.moments
        state, kept, lost = moments[-1 - steps].state, list[GameCommand](), list[int]()
        if self._was_passed(stage):
            kept.append(SetTurn(self.seat))
            state = _after(state, kept[0], stage.edition)
        for index in _last(stage, steps):
            entered = entries_of(moments[index].step, moments[index - 1].state)
            try:
                for command in entered or ():
                    state = _after(state, command, stage.edition)
                    kept.append(command)
            except Refused:
                entered = None
            if entered is None:
                lost.append(index)
        return _Entries(tuple(kept), tuple(lost))

    def _was_passed(self, stage: SceneContext) -> bool:
        """Return whether that turn was passed without a touch, so that it must be set after going back."""
        return stage.moments[-1 - self._steps(stage)].state.turn != self.seat

    def _steps(self, stage: SceneContext) -> int:
        return steps_back_to_turn(stage.table.timeline, self.seat) or 0


class _Entries(msgspec.Struct, frozen=True):
    """The entries since a turn.

    kept: those that can be entered again.
    lost: moments that can't be.
    """

    kept: tuple[GameCommand, ...]
    lost: tuple[int, ...]


def _last(stage: SceneContext, steps: int) -> tuple[int, ...]:
    count = len(stage.moments)
    return tuple(range(count - steps, count))


def _after(state: GameState, command: GameCommand, edition: Edition) -> GameState:
    """Return the state after a command. Raises Refused."""
    for event in decide(state, command, edition):
        state = evolve(state, event)
    return state
