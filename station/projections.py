"""What all entries mean together: tournaments, games and orders, folded in memory.

Nothing here is durable; it is made anew from the store at every start, and the result is the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

import msgspec

from saloon.core.errors import BadData
from saloon.core.game import timeline as game_timeline
from saloon.core.game.events import Confirmation, GameStep, TableSeated
from saloon.core.game.state import GameState, Phase
from saloon.core.game.takeover import ToldStep, is_same_step, told_step
from saloon.core.orders import Order, RelieveTable, SeatGame, TakeGame
from saloon.core.terms import GameId, TournamentId
from saloon.core.tournament import timeline as tournament_timeline
from saloon.core.tournament.events import (
    DisputeSettled,
    DuelAccepted,
    DuelContested,
    DuelCorrected,
    SheetAccepted,
    SheetContested,
    SheetCorrected,
    Source,
    TournamentStep,
)
from saloon.core.tournament.origin import SheetOrigin
from saloon.core.tournament.state import TournamentState
from saloon.station.alarms import Alarm, AlarmRaised, AlarmSeen
from saloon.station.floor_contract import TimedGameStep
from saloon.sync.entry import Content, Entry, Epoch, StreamId, TerminalId, content_of

_tournament_step = msgspec.msgpack.Decoder(TournamentStep)
_game_step = msgspec.msgpack.Decoder(GameStep)
_order = msgspec.msgpack.Decoder(Order)
_alarm = msgspec.msgpack.Decoder(Alarm)
_DECISIONS = (SheetAccepted, SheetCorrected, DisputeSettled, DuelAccepted, DuelCorrected)
_WHOLE = frozenset({Phase.SHEET, Phase.CONFIRMED})


class Touched(msgspec.Struct, frozen=True):
    """What an entry changed: a tournament, a game, or a terminal's orders; or nothing, with a problem."""

    tournament: TournamentId | None = None
    game: GameId | None = None
    terminal: TerminalId | None = None
    problem: str = ""


@dataclass
class TournamentTrack:
    """A tournament. steps: all, undone ones included.

    accepted_at: when each sheet was last decided on, among all entries. entries: where each
    step stands in the tournament's stream.
    """

    timeline: tournament_timeline.Timeline
    steps: list[TournamentStep]
    entries: list[tuple[Epoch, int]] = field(default_factory=list)
    accepted_at: dict[GameId, int] = field(default_factory=dict)

    @property
    def state(self) -> TournamentState:
        """The tournament now."""
        return self.timeline.state

    def was_accepted(self, accepted: SheetAccepted | DuelAccepted) -> bool:
        """Whether this very sheet was ever accepted as paper, or as a terminal's, taken back or not.

        What a terminal's sheet said is the same whether it came by wire or was carried.
        """
        return any(
            isinstance(event, SheetAccepted | DuelAccepted)
            and (event.game, event.result) == (accepted.game, accepted.result)
            and (event.source is Source.PAPER) is (accepted.source is Source.PAPER)
            for step in self.steps
            for event in step.events
        )

    def was_contested(self, game: GameId, origin: SheetOrigin) -> bool:
        """Whether this carried sheet was ever kept beside an accepted one, settled or taken back or not."""
        return any(
            isinstance(event, SheetContested | DuelContested) and (event.game, event.origin) == (game, origin)
            for step in self.steps
            for event in step.events
        )


@dataclass
class GameTrack:
    """A game as one terminal tells it, from a seating on.

    followed: how many of its steps could be folded. ended_at, confirmed_at: when the whole result and
    the judge's confirmation of it arrived, among all entries; None while it plays.
    """

    terminal: TerminalId
    epoch: Epoch
    steps: list[TimedGameStep] = field(default_factory=list)
    timeline: game_timeline.Timeline | None = None
    followed: int = 0
    ended_at: int | None = None
    confirmed_at: int | None = None
    problem: str = ""

    @property
    def state(self) -> GameState | None:
        """The game now; None where not even its seating could be read."""
        return None if self.timeline is None else self.timeline.state

    @property
    def confirmed_by_judge(self) -> bool:
        """Whether the judge confirmed the sheet at the table."""
        return self.state is not None and self.state.confirmed in {Confirmation.PIN, Confirmation.KEY}

    def add(self, step: TimedGameStep, position: int) -> None:
        """One more step of the terminal. After one that cannot follow, the fold stands still."""
        self.steps.append(step)
        if self.problem:
            return
        try:
            self.timeline = game_timeline.extended(self.timeline, step.step)
        except BadData as error:
            self.problem = f"step {step.seq}: {error}"
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


class Gift(msgspec.Struct, frozen=True):
    """A terminal was told to keep a game. steps: how many steps it was given with it. last: of them."""

    terminal: TerminalId
    steps: int = 0
    last: ToldStep | None = None


class Projections:
    """Folds of all streams, brought forward entry by entry.

    games: the tellings of each, in order of arrival. given: to whom each game was given, in order.
    relieved: who keeps it no more. raised, seen: the station's alarms by their subject.
    """

    def __init__(self) -> None:
        self.tournaments: dict[TournamentId, TournamentTrack] = {}
        self.games: dict[GameId, list[GameTrack]] = {}
        self.orders: dict[TerminalId, list[Order]] = {}
        self.given: dict[GameId, list[Gift]] = {}
        self.relieved: dict[GameId, set[TerminalId]] = {}
        self.raised: dict[str, AlarmRaised] = {}
        self.seen: dict[str, AlarmSeen] = {}
        self.epochs_of_orders: dict[TerminalId, set[Epoch]] = {}
        self._position = 0
        self._applied: dict[tuple[StreamId, Epoch], int] = {}

    def apply_all(self, entries: Iterable[Entry]) -> tuple[Touched, ...]:
        """Bring the folds forward by durable entries, in order of arrival."""
        return tuple(self.apply(entry) for entry in entries)

    def apply(self, entry: Entry) -> Touched:
        """Bring the folds forward by one durable entry.

        One that was applied before changes nothing. What cannot be read changes nothing and is
        named in ``problem``; the store keeps it.
        """
        if entry.seq <= self._applied.get((entry.stream, entry.epoch), 0):
            return Touched()
        self._applied[entry.stream, entry.epoch] = entry.seq
        self._position += 1
        kind, _, name = entry.stream.partition("/")
        try:
            content = content_of(entry.raw)
            match kind:
                case "tournament":
                    return self._tournament_step(TournamentId(name), entry, content)
                case "table":
                    return self._game_step(TerminalId(name), entry, content)
                case "orders":
                    return self._order(TerminalId(name), entry, content)
                case "alarms":
                    return self._alarm(content)
                case _:
                    return Touched(problem=f"{entry.stream}: no such kind of stream")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadData) as error:
            terminal = TerminalId(name) if kind in {"table", "orders"} else None
            return Touched(terminal=terminal, problem=f"{entry.stream}, entry {entry.seq}: {error}")

    def told_by(self, game: GameId, terminal: TerminalId) -> GameTrack | None:
        """A game as one terminal tells it now; None where it told nothing."""
        tracks = [track for track in self.games.get(game, ()) if track.terminal == terminal]
        return tracks[-1] if tracks else None

    def holds_gift(self, game: GameId, track: GameTrack) -> bool:
        """Whether a telling holds all that its terminal was given with the game the last time.

        It may be as long and be an older one, that parts from the given one before its last step.
        """
        gifts = (gift for gift in reversed(self.given.get(game, ())) if gift.terminal == track.terminal)
        gift = next(gifts, None)
        if gift is None or not gift.steps:
            return True
        if gift.last is None or len(track.steps) < gift.steps:
            return False
        told = track.steps[gift.steps - 1]
        return is_same_step(told_step(told.step, track.terminal, track.epoch, told.seq), gift.last)

    def _tournament_step(self, tournament: TournamentId, entry: Entry, content: Content) -> Touched:
        step = _tournament_step.decode(content.body)
        track = self.tournaments.get(tournament)
        timeline = tournament_timeline.extended(None if track is None else track.timeline, step)
        if track is None:
            track = self.tournaments[tournament] = TournamentTrack(timeline, [])
        track.timeline = timeline
        track.steps.append(step)
        track.entries.append((entry.epoch, entry.seq))
        for event in step.events:
            if isinstance(event, _DECISIONS):
                track.accepted_at[event.game] = self._position
        return Touched(tournament=tournament)

    def _game_step(self, terminal: TerminalId, entry: Entry, content: Content) -> Touched:
        step = _game_step.decode(content.body)
        tracks = self.games.setdefault(step.game, [])
        there = (t for t in reversed(tracks) if (t.terminal, t.epoch) == (terminal, entry.epoch))
        track = next(there, None)
        if track is None or (step.events and isinstance(step.events[0], TableSeated)):
            track = GameTrack(terminal, entry.epoch)
            tracks.append(track)
        track.add(TimedGameStep(step, content.clock.wall_ms, entry.seq), self._position)
        return Touched(game=step.game, terminal=terminal, problem=track.problem)

    def _order(self, terminal: TerminalId, entry: Entry, content: Content) -> Touched:
        order: Order = _order.decode(content.body)
        self.orders.setdefault(terminal, []).append(order)
        match order:
            case SeatGame():
                self._give(order.seating.game, Gift(terminal))
            case TakeGame():
                self._give_steps(terminal, order)
            case RelieveTable():
                self.relieved.setdefault(order.game, set()).add(terminal)
            case _:
                pass
        self.epochs_of_orders.setdefault(terminal, set()).add(entry.epoch)
        return Touched(terminal=terminal)

    def _alarm(self, content: Content) -> Touched:
        alarm: Alarm = _alarm.decode(content.body)
        match alarm:
            case AlarmRaised():
                self.raised[alarm.subject] = alarm
                self.seen.pop(alarm.subject, None)
            case AlarmSeen():
                self.seen[alarm.subject] = alarm
            case _:
                assert_never(alarm)
        return Touched()

    def _give_steps(self, terminal: TerminalId, order: TakeGame) -> None:
        """A game of many steps is given in pieces; more steps, to be merged, are no new gift."""
        if order.first == 0:
            self._give(order.game, Gift(terminal, order.total))
        gifts = self.given.get(order.game, [])
        open_gift = Gift(terminal, order.total)
        if order.steps and order.first + len(order.steps) == order.total and open_gift in gifts:
            gifts[gifts.index(open_gift)] = Gift(terminal, order.total, order.steps[-1])

    def _give(self, game: GameId, gift: Gift) -> None:
        self.given.setdefault(game, []).append(gift)
        self.relieved.get(game, set()).discard(gift.terminal)


def tournament_stream(tournament: TournamentId) -> StreamId:
    """The stream that the station writes for a tournament."""
    return StreamId(f"tournament/{tournament}")
