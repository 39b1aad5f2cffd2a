"""The path of a table's entries from touches, buttons and clocks to the journal."""

import contextlib
from collections.abc import Callable

from base.errors import Refused
from core.game.clock import RequestTimeLeft, ResumeClock
from core.game.decide import GameCommand
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.sheet import ConfirmSheet
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import SetTurn
from core.game.state.game import Confirmation, GameState
from core.game.timeline import steps_back_to_turn
from core.terms import SeatNo
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.link.enrolment_progress import DeliveryProgress
from kiosk.terminal.mistakes import ForgetfulnessWatch, RepeatGuard
from kiosk.terminal.notices import Notices
from kiosk.terminal.panel_side import PanelSide
from kiosk.view.intents import AskGame
from kiosk.view.table_view import CardDoubt
from sync.terminal.agent_contract import LinkPhase


class GameEntries:
    """The entries of a table's game, and the questions that probable mistakes lead to.

    on_step: is called after each step with the state before it.
    doubt: why nothing may be entered until a judge has decided about the card, or None.
    call_presses, reshuffle_presses, doubtful_turns, turns_again: as in ``TableView``.
    """

    def __init__(
        self,
        keeper: GameKeeper,
        notices: Notices,
        watch: ForgetfulnessWatch,
        *,
        panel: PanelSide,
        delivering: DeliveryProgress,
        append: Callable[[bytes], None],
        on_step: Callable[[GameState | None], None],
    ) -> None:
        self.doubt: CardDoubt | None = None
        self.call_presses = self.reshuffle_presses = self.doubtful_turns = 0
        self.turns_again: tuple[SeatNo, ...] = ()
        self._keeper = keeper
        self._notices = notices
        self._watch = watch
        self._panel = panel
        self._delivering = delivering
        self._append = append
        self._on_step = on_step
        self._guard = RepeatGuard()

    def trust(self, *, is_named: bool) -> None:
        """Accept every reshuffle without a question while a program touches targets by name."""
        if is_named or self._guard.is_trusting:
            self._guard = RepeatGuard(is_trusting=is_named)

    def press(self, command: GameCommand, now_ms: int) -> None:
        """Carry out the command of a panel button, or ask the table first."""
        if isinstance(command, AnswerJudgeCall):
            # A repeated press must not cancel the call: show that the judge was already called.
            self.call_presses += 1
        elif command == Reshuffle() and self._watch.hides_reshuffle(self._keeper):
            self.reshuffle_presses += 1
        else:
            self.touch(AskGame(command), now_ms)

    def touch(self, intent: AskGame, now_ms: int) -> None:
        """Carry out a command unless it repeats another too soon to be intended, or ask the table first."""
        command, keeper, asks = intent.command, self._keeper, not intent.is_certain
        if asks and self._guard.refuses(command, now_ms):
            return
        if asks and self._guard.is_doubtful(command, keeper.game, keeper.edition, now_ms):
            self.reshuffle_presses += 1
        elif (asks or intent.in_any_turn) and self._watch.doubts_turn(command, keeper.game, keeper.edition):
            self.doubtful_turns += 1
        elif asks and isinstance(command, SetTurn) and steps_back_to_turn(keeper.timeline, command.seat):
            self.turns_again = (*self.turns_again, command.seat)
        elif self.enter(command, intent.done, intent.more):
            self._guard.on_carried_out(command, now_ms)
            if isinstance(command, CallJudge) and self._delivering.link is not LinkPhase.CONNECTED:
                self.call_presses += 1  # an unsent call isn't heard, so the screen has to show it

    def enter(self, command: GameCommand, done: str = "", more: tuple[GameCommand, ...] = ()) -> bool:
        """Carry out a command, then ``more`` if it was accepted, and return whether it was."""
        by_key = isinstance(command, ConfirmSheet) and command.how is Confirmation.KEY
        if self.doubt is not None or (by_key and not self._panel.key_on):
            return False
        before = self._keeper.game
        try:
            body = self._keeper.ask(command)
        except Refused as refused:
            self._notices.on_refused(refused, before)
            return False
        self._notices.on_carried_out(done)
        self._append(body)
        for seated in self._keeper.carry_out_waiting():
            self._append(seated)
        self._on_step(before)
        for following in more:
            self.enter(following)
        return True

    def enter_unasked(self, command: RequestTimeLeft | ResumeClock) -> None:
        """Enter a command that the terminal issues itself, ignoring refusals."""
        if self.doubt is None:
            with contextlib.suppress(Refused):
                self._append(self._keeper.ask(command))
