"""The logs of each game as recorded by terminals, and the terminals that were given the game."""

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import msgspec

from base.errors import BadData
from core.game import timeline as game_timeline
from core.game.ending.judge_calls import CallJudge, GiveCallReason, WarnPlayer
from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep, StepOrigin
from core.game.orders import TakeGame
from core.game.setup import TableSeated
from core.game.state.game import Confirmation, GameState, Phase
from core.game.state.offences import Offence
from core.game.takeover import StepWithOrigin, is_same_step, step_with_origin
from core.terms import GameId, PlayerId, TableNo, TournamentId
from station.projections.alarms import CallId, TableCall
from station.projections.cards import TimedGameStep
from station.store.game_index import GameRun, PutOff
from station.store.streams import StoredEntry, terminal_of
from sync.protocol.entry import Epoch, TerminalId

_WHOLE = frozenset({Phase.SHEET, Phase.CONFIRMED})
_AT_THE_TABLE = frozenset({Confirmation.PIN, Confirmation.KEY})


@dataclass
class GameTrack:
    """A game as recorded by one terminal, starting with a seating.

    followed: the number of steps that could be folded.
    ended_at, confirmed_at: the positions among all entries of the game's result and of the judge's
        confirmation, or None before.
    is_given_up: its draw has been undone since.
    """

    terminal: TerminalId
    epoch: Epoch
    steps: list[TimedGameStep] = field(default_factory=list)
    timeline: game_timeline.Timeline | None = None
    followed: int = 0
    ended_at: int | None = None
    confirmed_at: int | None = None
    problem: str = ""
    made_calls: list[TableCall] = field(default_factory=list)
    is_given_up: bool = False

    @property
    def state(self) -> GameState | None:
        """The current state of the game, or None if its seating could not be read."""
        return None if self.timeline is None else self.timeline.state

    @property
    def confirmed_by_judge(self) -> bool:
        """Return whether a judge confirmed the sheet at this terminal. A copied confirmation is none."""
        if self.timeline is None or self.timeline.state.confirmed not in _AT_THE_TABLE:
            return False
        for moment in reversed(self.timeline.moments):
            if any(isinstance(event, ConfirmSheet) for event in moment.step.events):
                return moment.step.origin is msgspec.UNSET
        return False

    def add(self, step: TimedGameStep, position: int, lie: str = "") -> None:
        """Add a step of the terminal. After an invalid step, no more steps are folded.

        ``lie`` is how the step contradicts the station's data, or empty.
        """
        self.steps.append(step)
        for event in step.step.events:
            if isinstance(event, CallJudge):
                origin = step_with_origin(step.step, self.terminal, self.epoch, step.seq).origin
                call = CallId(f"{origin.terminal}/{origin.epoch}/{origin.seq}")
                self.made_calls.append(TableCall(call, position))
            elif isinstance(event, GiveCallReason) and self.made_calls:
                with_reason = msgspec.structs.replace(self.made_calls[-1], reason=event.reason)
                self.made_calls[-1] = with_reason
        if self.problem:
            return
        problem = lie or self._follow(step.step)
        if problem:
            self.problem = f"step {step.seq}: {problem}"
            return
        self.followed += 1
        if self.state is None or self.state.phase not in _WHOLE:
            self.ended_at = None
        elif self.ended_at is None:
            self.ended_at = position
        if not self.confirmed_by_judge:
            self.confirmed_at = None
        elif self.confirmed_at is None:
            self.confirmed_at = position

    def _follow(self, step: GameStep) -> str:
        try:
            self.timeline = game_timeline.extend(self.timeline, step)
        except BadData as error:
            return str(error)
        return ""


class GameLogs(Mapping[GameId, list[GameTrack]]):
    """The logs of each game, in order of arrival, folded on demand.

    When a station starts, it reads years of games, few of which are needed again. The others' steps are kept
    unfolded until somebody requests their game.

    fold: adds such a step to its game.
    read: returns the steps of runs in order; its exceptions are passed on.

    Request a game before changing anything on which ``fold`` depends, so that the result is the same as if
    the game had been folded at once.
    """

    def __init__(
        self,
        fold: Callable[[StoredEntry], None],
        read: Callable[[Sequence[GameRun]], Sequence[StoredEntry]] = lambda _: (),
    ) -> None:
        self._fold = fold
        self._read = read
        self._tracks: dict[GameId, list[GameTrack]] = {}
        self._put_off: dict[GameId, list[PutOff]] = {}
        self._now: GameId | None = None
        self._folding = threading.RLock()

    def __getitem__(self, game: GameId) -> list[GameTrack]:
        """Return a game's folded logs. Raises KeyError for a game that no terminal has reported."""
        # Reading a game may take seconds, for example during a backup, and must not block the others.
        if self._put_off.get(game) or self._now == game:
            self._fold_game(game)
        return self._tracks[game]

    def _fold_game(self, game: GameId) -> None:
        with self._folding:
            if put_off := self._put_off.get(game):
                steps = [step for step in put_off if isinstance(step, StoredEntry)]
                if runs := [step for step in put_off if isinstance(step, GameRun)]:
                    steps = sorted((*self._read(runs), *steps), key=attrgetter("arrival"))
                self._now = game
                # Keep this list object, as the start may be adding to it.
                put_off.clear()
                for step in steps:
                    self._fold(step)
                self._now = None

    def __contains__(self, game: object) -> bool:
        return game in self._tracks

    def __iter__(self) -> Iterator[GameId]:
        return iter(self._tracks)

    def __len__(self) -> int:
        return len(self._tracks)

    def of(self, game: GameId) -> list[GameTrack]:
        """Return a game's folded logs, to which steps may be added; an empty list for a new game."""
        self._tracks.setdefault(game, [])
        return self[game]

    def put_off(self, game: GameId) -> list[PutOff]:
        """Return the list of a game's unfolded steps, to which more may be added."""
        self._tracks.setdefault(game, [])
        return self._put_off.setdefault(game, [])

    @property
    def put_off_games(self) -> Mapping[GameId, Sequence[PutOff]]:
        return {game: tuple(steps) for game, steps in self._put_off.items() if steps}

    def terminals(self, game: GameId) -> tuple[TerminalId, ...]:
        """Return the terminals that reported a game, without folding its steps."""
        tracked = (track.terminal for track in self._tracks.get(game, ()))
        put_off = (terminal_of(step.stream) for step in self._put_off.get(game, ()))
        return tuple(dict.fromkeys((*tracked, *put_off)))

    def original(self, game: GameId, origin: StepOrigin) -> GameStep | None:
        """Return the original of a copied step, if the station has it."""
        for track in self.get(game, ()):
            if (track.terminal, track.epoch) != (origin.terminal, origin.epoch):
                continue
            at = bisect_left(track.steps, origin.seq, key=lambda timed: timed.seq)
            if at < len(track.steps) and track.steps[at].seq == origin.seq:
                return track.steps[at].step
        return None


def track_of(tracks: list[GameTrack], terminal: TerminalId, epoch: Epoch, timed: TimedGameStep) -> GameTrack:
    """Return the track that a step belongs to. A seating starts a new one."""
    own = (one for one in reversed(tracks) if one.terminal == terminal and one.epoch == epoch)
    track = next(own, None)
    if track is None or (timed.step.events and isinstance(timed.step.events[0], TableSeated)):
        track = GameTrack(terminal, epoch)
        tracks.append(track)
    return track


class GameHandover(msgspec.Struct, frozen=True):
    """An order that gives a game to a terminal, with the number of given steps and the last one."""

    terminal: TerminalId
    steps: int = 0
    last: StepWithOrigin | None = None


class Handovers:
    """The handovers of all games, in order."""

    def __init__(self) -> None:
        self._of: dict[GameId, list[GameHandover]] = {}
        self._given_to: set[tuple[GameId, TerminalId]] = set()
        self._relieved: dict[GameId, set[TerminalId]] = {}

    def of(self, game: GameId) -> Sequence[GameHandover]:
        return self._of.get(game, ())

    def was_given(self, game: GameId, terminal: TerminalId) -> bool:
        return (game, terminal) in self._given_to

    def is_relieved(self, game: GameId, terminal: TerminalId | None) -> bool:
        return terminal in self._relieved.get(game, ())

    def has_given_steps(self, game: GameId, track: GameTrack) -> bool:
        """Return whether a track contains all steps that its terminal was given with the game.

        A track of the same length may be an older one that differs before the last given step.
        """
        handovers = (handover for handover in reversed(self.of(game)) if handover.terminal == track.terminal)
        last = next(handovers, None)
        if last is None or not last.steps:
            return True
        if last.last is None or track.followed < last.steps:
            return False
        timed = track.steps[last.steps - 1]
        return is_same_step(step_with_origin(timed.step, track.terminal, track.epoch, timed.seq), last.last)

    def give(self, game: GameId, handover: GameHandover) -> None:
        """Record that a game was given to a terminal."""
        self._of.setdefault(game, []).append(handover)
        self._given_to.add((game, handover.terminal))
        self._relieved.get(game, set()).discard(handover.terminal)

    def give_steps(self, terminal: TerminalId, order: TakeGame) -> None:
        """Record a game handed over in pieces. Steps to be merged later do not count as another handover."""
        if order.first == 0:
            self.give(order.game, GameHandover(terminal, order.total))
        known = self._of.get(order.game, [])
        unfinished = GameHandover(terminal, order.total)
        if order.steps and order.first + len(order.steps) == order.total and unfinished in known:
            known[known.index(unfinished)] = GameHandover(terminal, order.total, order.steps[-1])

    def relieve(self, game: GameId, terminal: TerminalId) -> None:
        self._relieved.setdefault(game, set()).add(terminal)


class TableWarning(msgspec.Struct, frozen=True):
    """A warning given by a judge at a table."""

    tournament: TournamentId
    table: TableNo
    player: PlayerId
    offence: Offence
    reason: str


def warning_of(track: GameTrack, timed: TimedGameStep) -> tuple[StepOrigin, TableWarning] | None:
    """Return the warning that a step gives and the origin of its first record, or None."""
    event = timed.step.events[0] if timed.step.events else None
    if track.problem or track.state is None or not isinstance(event, WarnPlayer):
        return None
    origin = step_with_origin(timed.step, track.terminal, track.epoch, timed.seq).origin
    game = track.state
    player = game.seats[event.seat - 1].player
    return origin, TableWarning(game.tournament, game.table, player, event.offence, event.reason)
