"""Detect a table's probable mistakes: entries repeated too soon, and omissions, judged by its own pace."""

import math
from collections.abc import Mapping
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.decide import GameCommand
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.reshuffles import Reshuffle, deck_turns, fewest_deck_turns, turns_since_reshuffle
from core.game.play.turns import EndTurn, SetTurn, records_turns
from core.game.play.wounds import SaveLastLife
from core.game.state.decisions import Redo, Undo
from core.game.state.game import GameState, HighNoon, Phase
from core.game.state.seats import has_question
from core.terms import GameId
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.view.table_view import Patience, TableQuestion

END_TURN_MS: Final = 2_000
"""The shortest possible turn: draw two cards and, under High Noon, look for a Beer."""
RESHUFFLE_MS: Final = 1_000
"""Presses of the reshuffle button within this time count as one."""
_RESHUFFLED_AGAIN_MS: Final = 20_000
"""The time after a reshuffle in which another one is questioned, as it may be a repeated press."""
_WITHOUT_TURNS_MS: Final = 40_000
"""The same for games without recorded turns, where cards can't be counted."""
UNDO_MS: Final = 1_000
"""The time that people need to read what an undo has taken back."""
CALL_MS: Final = 3_000
"""The shortest time in which a judge can walk to a table."""

_PATIENCE: Final[Mapping[tuple[type[GameCommand], type[GameCommand]], int]] = {
    (EndTurn, EndTurn): END_TURN_MS,
    (EndTurn, SaveLastLife): END_TURN_MS,
    (SetTurn, EndTurn): END_TURN_MS,
    (Reshuffle, Reshuffle): RESHUFFLE_MS,
    (Undo, Undo): UNDO_MS,
    (Redo, Redo): UNDO_MS,
    (CallJudge, AnswerJudgeCall): CALL_MS,
    (CallJudge, GiveCallReason): UNDO_MS,
    (AnswerJudgeCall, CallJudge): UNDO_MS,
}
"""The minimum time between an earlier and a later command."""
_TAKEN_BACK: Final = (EndTurn, SetTurn, Reshuffle)


class RepeatGuard:
    """The times of the last commands that must not be repeated too soon.

    With ``is_trusting``, which is for programs that touch targets by name, no reshuffle is questioned.
    """

    def __init__(self, *, is_trusting: bool = False) -> None:
        self.is_trusting = is_trusting
        self._done_ms: dict[type[GameCommand], int] = {}

    def refuses(self, command: GameCommand, now_ms: int) -> bool:
        """Return whether a command comes too soon to be intended."""
        return any(
            now_ms - self._done_ms[before] < patience_ms
            for (before, after), patience_ms in _PATIENCE.items()
            if after is type(command) and before in self._done_ms
        )

    def is_doubtful(
        self, command: GameCommand, game: GameState | None, edition: Edition | None, now_ms: int
    ) -> bool:
        """Return whether a reshuffle comes before the discard pile can have been drawn again.

        Without High Noon nothing depends on the number of reshuffles, so nobody is asked.
        """
        if not isinstance(command, Reshuffle) or game is None or edition is None or self.is_trusting:
            return False
        if edition.high_noon is None:
            return False
        since_ms = now_ms - self._done_ms.get(Reshuffle, -math.inf)
        if since_ms < _RESHUFFLED_AGAIN_MS:
            return True
        if game.phase is not Phase.PLAYING or not game.reshuffles:
            return False
        if game.is_turn_unknown or not records_turns(game, edition):
            return since_ms < _WITHOUT_TURNS_MS
        return turns_since_reshuffle(game) < fewest_deck_turns(game, edition)

    def on_carried_out(self, command: GameCommand, now_ms: int) -> None:
        """Remember an accepted command. After an undo, the same command may be entered immediately."""
        if isinstance(command, Undo):
            for kind in _TAKEN_BACK:
                self._done_ms.pop(kind, None)
        if any(type(command) is before for before, _after in _PATIENCE):
            self._done_ms[type(command)] = now_ms


FEW_TURNS: Final = 4
"""The number of turns after which a table's own pace is known."""
FIRST_TURNS_MS: Final = 8 * 60_000
LEAST_TURN_MS: Final = 4 * 60_000
LONGER: Final = 2.5
"""The multiple of its longest turn after which a table is asked."""
_FEW_VICTIMS: Final = 3
_LIGHT_DECK_MS: Final = 30 * 60_000
"""The time that a deck lasts before the first reshuffle, in games without recorded turns."""
_LEAST_DECK_MS: Final = 10 * 60_000
"""The shortest time in which a deck can be drawn."""
_LIGHT_REST_MS: Final = 12 * 60_000
_LONGER_DECK: Final = 1.4
"""The multiple of the longest deck that another may last, in games without recorded turns."""
_TURN_REST: Final = 3
"""A turn confirmed as right isn't questioned again for this multiple of its length, or of the patience."""
_REST_SHARE: Final = 3
"""After a denial, the question about the deck rests for the deck's turns divided by this."""


class _Pace(msgspec.Struct):
    """The pace of one game so far. ``at_ms`` is the time of the last look, or None while nobody plays.

    spent_ms: time spent in the current turn.
    seen: how many turns were ended in time.
    deck_ms: time since the last reshuffle.
    turn_rest_ms, rest_victims: until when the current turn, confirmed as right, isn't questioned.
    rest_turns, rest_ms: until when the deck isn't questioned.
    has_forgotten: the end of a turn was forgotten at least once.
    """

    game: GameId | None = None
    turn: int = 0
    spent_ms: int = 0
    at_ms: int | None = None
    longest_ms: int = 0
    seen: int = 0
    most_victims: int = _FEW_VICTIMS
    answered_turn: int = -1
    turn_rest_ms: int = 0
    rest_victims: int = 0
    reshuffles: int = 0
    deck_ms: int = 0
    longest_deck_ms: int = 0
    rest_turns: int = 0
    rest_ms: int = 0
    has_forgotten: bool = False

    def count(self, game: GameState, now_ms: int, *, stands: bool) -> None:
        gone_ms = 0 if self.at_ms is None else max(0, now_ms - self.at_ms)
        self.at_ms = None if stands else now_ms
        self.spent_ms += gone_ms
        self.deck_ms += gone_ms
        self.has_forgotten = self.has_forgotten or bool(game.passed)
        if game.turns != self.turn:
            if game.turns == self.turn + 1:
                self.longest_ms = max(self.longest_ms, self.spent_ms)
                self.seen += 1
            self.turn, self.spent_ms = game.turns, 0
        elif self.answered_turn == game.turns:
            self.most_victims = max(self.most_victims, len(game.wounded))
            self.longest_ms = max(self.longest_ms, self.spent_ms)
        if game.reshuffles != self.reshuffles:
            if game.reshuffles == self.reshuffles + 1:
                self.longest_deck_ms = max(self.longest_deck_ms, self.deck_ms)
            self.reshuffles, self.deck_ms, self.rest_turns, self.rest_ms = game.reshuffles, 0, 0, 0

    @property
    def turn_patience_ms(self) -> int:
        if self.seen < FEW_TURNS:
            return FIRST_TURNS_MS
        return max(LEAST_TURN_MS, round(LONGER * self.longest_ms))

    @property
    def deck_patience_ms(self) -> int:
        """Return how long a deck may last before the table is asked, if turns aren't recorded."""
        lasts_ms = round(_LONGER_DECK * self.longest_deck_ms) if self.longest_deck_ms else _LIGHT_DECK_MS
        return max(lasts_ms, _LEAST_DECK_MS, self.rest_ms)


class ForgetfulnessWatch:
    """A detector of omissions, which starts again with each game and after a restart."""

    def __init__(self) -> None:
        self.question: TableQuestion | None = None
        self.patience = Patience()
        self._pace = _Pace()

    def look(self, game: GameState | None, edition: Edition | None, now_ms: int, *, stands: bool) -> None:
        """Update the detector. ``stands``: nobody plays, as the round is paused or the terminal locked."""
        self.question = None
        if game is None or edition is None or game.phase is not Phase.PLAYING:
            self._pace = _Pace()
            return
        if game.game != self._pace.game:
            self._pace = _Pace(game.game, game.turns)
        stands = stands or game.judge_called or has_question(game)
        self._pace.count(game, now_ms, stands=stands)
        self.patience = self._patience(game, edition)
        if stands:
            return
        if self._is_turn_doubtful(game, edition):
            self.question = TableQuestion.STILL_TURN
        elif self._is_deck_old(game):
            self.question = TableQuestion.RESHUFFLED

    def answer(self, game: GameState, edition: Edition, question: TableQuestion) -> None:
        """Drop a question for a while, as the turn is right or the deck hasn't been reshuffled."""
        pace = self._pace
        match question:
            case TableQuestion.STILL_TURN:
                pace.answered_turn = game.turns
                pace.turn_rest_ms = pace.spent_ms + _TURN_REST * max(pace.turn_patience_ms, pace.spent_ms)
                pace.rest_victims = len(game.wounded) + _FEW_VICTIMS
            case TableQuestion.RESHUFFLED:
                rest = max(2, deck_turns(game, edition).usual // _REST_SHARE)
                pace.rest_turns = turns_since_reshuffle(game) + rest
                pace.rest_ms = pace.deck_ms + _LIGHT_REST_MS
        self.question = None

    def doubts_turn(self, command: GameCommand, game: GameState | None, edition: Edition | None) -> bool:
        """Return whether a reshuffle arms High Noon while the recorded turn may be wrong.

        It may be if turns were forgotten before, or if this one takes longer than any so far.
        """
        pace = self._pace
        if command != Reshuffle() or game is None or edition is None or game.high_noon is not HighNoon.OFF:
            return False
        if game.is_turn_unknown or not records_turns(game, edition):
            return False
        if game.reshuffles + 1 != reshuffles_to_high_noon(len(game.seats), edition):
            return False
        return pace.has_forgotten or (pace.seen >= FEW_TURNS and pace.spent_ms > pace.longest_ms)

    def hides_reshuffle(self, keeper: GameKeeper) -> bool:
        """Return whether a question replaces the *Reshuffle* button, or is about a reshuffle."""
        game, edition = keeper.playing, keeper.edition
        if game is None or edition is None or game.phase is not Phase.PLAYING:
            return False
        is_asked = game.is_turn_unknown or self.question is TableQuestion.RESHUFFLED
        return has_question(game) or (is_asked and records_turns(game, edition))

    def next_deadline_ms(self) -> int | None:
        """Return the next time at which a question may be due, or None if nobody plays or one is open."""
        pace = self._pace
        if pace.at_ms is None or self.question is not None:
            return None
        is_answered = pace.answered_turn == pace.turn
        patience_ms = pace.turn_rest_ms if is_answered else pace.turn_patience_ms
        waits = (pace.deck_patience_ms - pace.deck_ms, patience_ms - pace.spent_ms)
        return min((pace.at_ms + wait for wait in waits if wait > 0), default=None)

    def _patience(self, game: GameState, edition: Edition) -> Patience:
        pace, asks_deck = self._pace, edition.high_noon is not None and game.high_noon is HighNoon.OFF
        if not records_turns(game, edition):
            return Patience(deck_s=pace.deck_patience_ms // 1000 if asks_deck else None)
        turns = max(deck_turns(game, edition).late, pace.rest_turns)
        return Patience(pace.turn_patience_ms // 1000, deck_turns=turns if asks_deck else None)

    def _is_turn_doubtful(self, game: GameState, edition: Edition) -> bool:
        pace = self._pace
        if game.is_turn_unknown or not records_turns(game, edition):
            return False
        if pace.answered_turn == game.turns:
            return pace.spent_ms >= pace.turn_rest_ms or len(game.wounded) > pace.rest_victims
        return pace.spent_ms >= pace.turn_patience_ms or len(game.wounded) > pace.most_victims

    def _is_deck_old(self, game: GameState) -> bool:
        if self.patience.deck_s is not None:
            return self._pace.deck_ms >= self._pace.deck_patience_ms
        due = self.patience.deck_turns
        return due is not None and turns_since_reshuffle(game) >= due
