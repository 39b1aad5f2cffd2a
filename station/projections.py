"""What all entries mean together: tournaments, games and orders, folded in memory.

Nothing here is durable; it is made anew from the store at every start, and the result is the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from saloon.core.errors import BadData
from saloon.core.game import timeline as game_timeline
from saloon.core.game.events import Confirmation, GameStep
from saloon.core.game.state import GameState
from saloon.core.orders import Order
from saloon.core.terms import GameId, TournamentId
from saloon.core.tournament import timeline as tournament_timeline
from saloon.core.tournament.events import DuelAccepted, SheetAccepted, TournamentStep
from saloon.core.tournament.state import TournamentState
from saloon.station.office_contract import TimedGameStep
from saloon.sync.entry import Content, Entry, Epoch, StreamId, TerminalId, content_of

_tournament_step = msgspec.msgpack.Decoder(TournamentStep)
_game_step = msgspec.msgpack.Decoder(GameStep)
_order = msgspec.msgpack.Decoder(Order)


class Touched(msgspec.Struct, frozen=True):
    """What an entry changed: a tournament, a game, or a terminal's orders; or nothing, with a problem."""

    tournament: TournamentId | None = None
    game: GameId | None = None
    terminal: TerminalId | None = None
    problem: str = ""


@dataclass
class TournamentTrack:
    """A tournament. steps: all, undone ones included. accepted_at: when each sheet was last accepted.

    entries: where each step stands in the tournament's stream.
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
        """Whether this very sheet was ever accepted from this source, taken back or not."""
        return any(
            isinstance(event, SheetAccepted | DuelAccepted)
            and (event.game, event.result, event.source) == (accepted.game, accepted.result, accepted.source)
            for step in self.steps
            for event in step.events
        )


@dataclass
class GameTrack:
    """A game as one terminal tells it. confirmed_at: when the confirmation of the sheet arrived."""

    terminal: TerminalId
    epoch: Epoch
    steps: list[TimedGameStep] = field(default_factory=list)
    timeline: game_timeline.Timeline | None = None
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
        if not self.confirmed_by_judge:
            self.confirmed_at = None
        elif self.confirmed_at is None:
            self.confirmed_at = position


class Projections:
    """Folds of all streams, brought forward entry by entry."""

    def __init__(self) -> None:
        self.tournaments: dict[TournamentId, TournamentTrack] = {}
        self.games: dict[GameId, list[GameTrack]] = {}
        self.orders: dict[TerminalId, list[Order]] = {}
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
                case _:
                    return Touched(problem=f"{entry.stream}: no such kind of stream")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadData) as error:
            terminal = TerminalId(name) if kind in {"table", "orders"} else None
            return Touched(terminal=terminal, problem=f"{entry.stream}, entry {entry.seq}: {error}")

    def told_by(self, game: GameId, terminal: TerminalId) -> GameTrack | None:
        """A game as one terminal tells it, in its present life; None where it told nothing."""
        tracks = [track for track in self.games.get(game, ()) if track.terminal == terminal]
        return tracks[-1] if tracks else None

    def longest(self, game: GameId) -> GameTrack | None:
        """A game as the terminal with the most steps tells it; None for nothing yet."""
        return max(self.games.get(game, ()), key=lambda track: len(track.steps), default=None)

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
            if isinstance(event, SheetAccepted | DuelAccepted):
                track.accepted_at[event.game] = self._position
        return Touched(tournament=tournament)

    def _game_step(self, terminal: TerminalId, entry: Entry, content: Content) -> Touched:
        step = _game_step.decode(content.body)
        tracks = self.games.setdefault(step.game, [])
        track = next((t for t in tracks if (t.terminal, t.epoch) == (terminal, entry.epoch)), None)
        if track is None:
            track = GameTrack(terminal, entry.epoch)
            tracks.append(track)
        track.add(TimedGameStep(step, content.clock.wall_ms, entry.seq), self._position)
        return Touched(game=step.game, terminal=terminal, problem=track.problem)

    def _order(self, terminal: TerminalId, entry: Entry, content: Content) -> Touched:
        self.orders.setdefault(terminal, []).append(_order.decode(content.body))
        self.epochs_of_orders.setdefault(terminal, set()).add(entry.epoch)
        return Touched(terminal=terminal)


def tournament_stream(tournament: TournamentId) -> StreamId:
    """The stream that the station writes for a tournament."""
    return StreamId(f"tournament/{tournament}")
