"""Derive the orders due to each terminal from the tournaments.

Pending orders are not stored. Instead, the orders that a terminal should have are compared with those in its
stream. So a crash between a decision and its orders loses none, and no order is given twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TypeVar

from core.game.orders import (
    AnswerCall,
    AssignTable,
    CloseTournament,
    ConfirmFromStation,
    OfferSignIn,
    Order,
    PlaceInQueue,
    RelieveTable,
    SeatGame,
    SetClock,
    ShowMessage,
    TakeGame,
    VoidTable,
    WithdrawMessage,
    WithdrawSeat,
    tournament_of,
)
from core.game.result import is_same
from core.game.state.game import GameState, Phase
from core.terms import GameId, MatchKind, PlayerId, SeatNo, Seconds, TableNo, TournamentId
from core.tournament.state.tournament import Entrant, Stage
from station.enrolment.enrolments import EnrolledTerminal
from station.enrolment.sign_in_links import SignInLinks
from station.enrolment.terminal_pins import TerminalPins
from station.hall.authoritative_log import Standing, authoritative_log, continuation, sound_steps
from station.hall.clocks import limit_min_of, limit_of, time_left_at
from station.hall.game_orders import (
    SentOrders,
    given_game,
    has_stakes,
    is_same_handover,
    seat_game,
    set_clock,
    take_game,
)
from station.hall.published import PublishedTable
from station.hall.reports import reported_result
from station.projections.game_logs import GameTrack
from station.projections.projections import Projections
from sync.protocol.entry import TerminalId

_OfGame = TypeVar("_OfGame", SetClock, OfferSignIn, ConfirmFromStation)
_OVER = frozenset({Phase.CONFIRMED, Phase.VOIDED})
_OTHERS = 5
"""The most other calling tables that a table is sent, so that one more call changes few tables' orders."""
TAKEN_BACK = "The draw was taken back."


@dataclass(frozen=True)
class QueuedCall:
    """An open call of a table, the table's ``number``-th. ``is_answered`` means that a judge is coming."""

    table: PublishedTable
    number: int
    is_answered: bool


@dataclass(frozen=True)
class OrderContext:
    """The state from which orders are derived.

    published: the tables of unfinished tournaments.
    past: the tables of finished ones; a terminal gets orders only about the last of them that it was given or
        has reported.
    wall_ms: the current time, since 1970.
    connected: the terminals connected to this station.
    calls: the open calls in their order.
    """

    projections: Projections
    published: Mapping[GameId, PublishedTable]
    here: Standing
    pins: TerminalPins
    wall_ms: int = 0
    sign_in: SignInLinks = SignInLinks()  # noqa: RUF009 (a constant)
    connected: frozenset[TerminalId] = frozenset()
    calls: Sequence[QueuedCall] = ()
    past: Mapping[GameId, PublishedTable] = field(default_factory=dict)

    @cached_property
    def running_at(self) -> Mapping[TableNo, Sequence[PublishedTable]]:
        """The published tables whose results are awaited, by number."""
        tables: dict[TableNo, list[PublishedTable]] = {}
        for table in self.published.values():
            if table.is_awaited:
                tables.setdefault(table.drawn.table, []).append(table)
        return tables

    @cached_property
    def reported_by(self) -> Mapping[TerminalId, Sequence[GameId]]:
        """The published games that each terminal has reported."""
        games: dict[TerminalId, list[GameId]] = {}
        for game in self.published:
            for terminal in self.projections.games.terminals(game):
                games.setdefault(terminal, []).append(game)
        return games

    @cached_property
    def place(self) -> Mapping[GameId, int]:
        return {game: number for number, game in enumerate(self.published)}

    @cached_property
    def gone(self) -> Mapping[tuple[TournamentId, PlayerId], Entrant]:
        """The entrants who have left their tournaments."""
        tournaments = {table.tournament.tournament: table.tournament for table in self.published.values()}
        return {
            (state.tournament, entrant.player): entrant
            for state in tournaments.values()
            for entrant in state.entrants
            if entrant.is_out
        }


def orders_due(terminal: EnrolledTerminal, hall: OrderContext) -> tuple[Order, ...]:
    """Return the orders that a terminal should have and was not given, in order."""
    if terminal.revoked:
        return ()
    return tuple(_PendingOrders(terminal, hall).orders())


class _PendingOrders:
    """The orders due to one terminal. Each kind of order treats the earlier kinds as given already."""

    def __init__(self, terminal: EnrolledTerminal, hall: OrderContext) -> None:
        self._terminal = terminal
        self._hall = hall
        self._sent = SentOrders(hall.projections.orders.get(terminal.terminal, []))
        ordered = (game for game in self._sent.games if game in hall.published)
        known = {*ordered, *hall.reported_by.get(terminal.terminal, ())}
        self._known = {game: hall.published[game] for game in sorted(known, key=hall.place.__getitem__)}
        """The published tables that the terminal was given or reports on; of finished tournaments only the
        last.
        """
        for last in (self._sent.last_game, hall.projections.last_reported.get(terminal.terminal)):
            if last is not None and last in hall.past:
                self._known = {last: hall.past[last], **self._known}

    def orders(self) -> Iterator[Order]:
        yield from self._assignment()
        yield from self._withdraw_messages()
        yield from self._void_games()
        yield from self._withdraw_games()
        yield from self._confirm_sheets()
        yield from self._seat_games()
        yield from self._merge_late_steps()
        yield from self._withdrawn()
        yield from self._set_clocks()
        yield from self._offer_sign_in()
        yield from self._place_in_queue()
        yield from self._show_messages()
        yield from self._close_last()

    def _assignment(self) -> Iterator[Order]:
        table, known = self._terminal.table, self._terminal
        pin = self._hall.pins.hashed(known.terminal) if known.trusted else ""
        if table is not None and self._sent.assignment() != AssignTable(table, pin):
            yield self._sent.add(AssignTable(table, pin))

    def _void_games(self) -> Iterator[Order]:
        for game in self._sent.games:
            is_published = game in self._hall.published or game in self._hall.past
            if not is_published and self._holds(game):
                yield self._sent.add(VoidTable(game, TAKEN_BACK))

    def _withdraw_games(self) -> Iterator[Order]:
        for game, table in self._known.items():
            if table.is_accepted or not self._holds(game):
                continue
            keeper = self._hall.here.get(table.drawn.table)
            is_elsewhere = self._terminal.table not in {None, table.drawn.table}
            if is_elsewhere or keeper not in {None, self._terminal.terminal}:
                yield self._sent.add(RelieveTable(game))

    def _seat_games(self) -> Iterator[Order]:
        table = self._terminal.table
        for published in () if table is None else self._hall.running_at.get(table, ()):
            game = published.drawn.game
            if not self._holds(game) and not self._keeps_another(published):
                for order in self._give_games(game, published):
                    self._known[game] = published
                    yield self._sent.add(order)

    def _keeps_another(self, wanted: PublishedTable) -> bool:
        """Return whether the terminal must first finish a game of an earlier round or another tournament."""

        def _comes_first(table: PublishedTable) -> bool:
            if table.tournament.tournament != wanted.tournament.tournament:
                return table.is_running
            return table.round < wanted.round and table.match is MatchKind.GAME

        return any(
            _comes_first(table) and self._is_in_play(game, table) for game, table in self._known.items()
        )

    def _is_in_play(self, game: GameId, table: PublishedTable) -> bool:
        if table.is_accepted or not self._holds(game):
            return False
        track = self._hall.projections.track_of_terminal(game, self._terminal.terminal)
        return track is None or track.state is None or track.state.phase not in _OVER

    def _give_games(self, game: GameId, table: PublishedTable) -> Iterator[Order]:
        """Yield orders that give the game from its start, or as far as another terminal has reported it."""
        track = authoritative_log(game, self._hall.projections, self._hall.here)
        steps = () if track is None else sound_steps(track)
        if not self._terminal.trusted and (
            (track is not None and track.terminal != self._terminal.terminal) or has_stakes(table)
        ):
            return
        own = self._hall.projections.track_of_terminal(game, self._terminal.terminal)
        if track is None or not steps or track is own:
            yield seat_game(table)
        else:
            yield from take_game(steps, 0, limit_min_of(table))

    def _running(self) -> Iterator[tuple[GameId, PublishedTable]]:
        for game, table in self._known.items():
            if table.is_awaited and self._holds(game):
                yield game, table

    def _merge_late_steps(self) -> Iterator[Order]:
        """Yield the late steps of another terminal that continue this terminal's log."""
        for game, table in self._running():
            track = self._whole_log(game)
            if track is None or not self._terminal.trusted:
                continue
            steps = continuation(game, self._hall.projections, track)
            for order in take_game(steps, len(track.steps), limit_min_of(table)):
                if not any(is_same_handover(order, other) for other in self._sent.orders):
                    yield self._sent.add(order)

    def _withdrawn(self) -> Iterator[Order]:
        for game, table in self._known.items():
            if table.is_accepted or not self._holds(game):
                continue
            said = self._orders_since_given(game)
            for number, player in enumerate(table.drawn.players, start=1):
                entrant = self._hall.gone.get((table.tournament.tournament, player))
                if entrant is None:
                    continue
                order = WithdrawSeat(game, SeatNo(number), ejected=entrant.ejected)
                if order not in said and not _has_left(self._state(game), order.seat):
                    yield self._sent.add(order)

    def _set_clocks(self) -> Iterator[Order]:
        for game, table in self._running():
            limit = limit_of(table)
            if limit is None:
                continue
            state, last = self._state(game), self._last_order(game, SetClock)
            doubts = 0 if state is None else state.clock.doubts
            history = self._hall.projections.tournaments[table.tournament.tournament].steps
            left = time_left_at(table, history, limit, self._hall.wall_ms)
            order = set_clock(table, left, limit, doubts)
            if last is None:
                is_known = self._waits(order)
            else:
                is_same_state = (last.change, last.limit_s) == (order.change, order.limit_s)
                is_known = is_same_state and last.answers >= order.answers
            if not is_known:
                yield self._sent.add(order)

    def _waits(self, order: SetClock) -> bool:
        giving_order = next(
            (sent for sent in reversed(self._sent.orders) if given_game(sent) == order.game), None
        )
        limit = giving_order.time_limit_min if isinstance(giving_order, SeatGame | TakeGame) else None
        return not order.change and not order.answers and limit is not None and limit * 60 == order.limit_s

    def _offer_sign_in(self) -> Iterator[Order]:
        """Yield the link for players' phones during check-in, if it is new or no longer valid.

        Only the station to which the terminal is connected offers one, as each would give its own address.
        """
        if self._terminal.terminal not in self._hall.connected:
            return
        for game, _ in self._running():
            last = self._last_order(game, OfferSignIn) or OfferSignIn(game, "")
            order = OfferSignIn(game, self._hall.sign_in.link(game))
            if order != last and is_checking_in(self._state(game)):
                yield self._sent.add(order)

    def _place_in_queue(self) -> Iterator[Order]:
        if self._terminal.terminal not in self._hall.connected:
            return
        waiting = [call for call in self._hall.calls if not call.is_answered]
        for call in self._hall.calls:
            game, tournament = call.table.drawn.game, call.table.tournament.tournament
            said = self._sent.since_given(game) if self._holds(game) else None
            # A judge who was on the way has released the call: send the table its place again.
            places = (sent for sent in reversed(said or ()) if isinstance(sent, PlaceInQueue | AnswerCall))
            tables = (
                other.table.drawn.table
                for other in waiting
                if other is not call and other.table.tournament.tournament == tournament
            )
            others = tuple(islice(tables, _OTHERS))
            order: Order = AnswerCall(game, others)
            if not call.is_answered:
                order = PlaceInQueue(game, call.number, waiting.index(call), others)
            if said is not None and next((sent for sent in places if sent.game == game), None) != order:
                yield self._sent.add(order)

    def _withdraw_messages(self) -> Iterator[Order]:
        for track, delivery in self._hall.projections.messages.showing_at(self._terminal.terminal):
            is_elsewhere = delivery.recipient.table != self._terminal.table
            if is_elsewhere or not delivery.is_unread or track.has_ended(self._hall.wall_ms):
                yield self._sent.add(WithdrawMessage(track.written.message))

    def _show_messages(self) -> Iterator[Order]:
        if self._terminal.terminal not in self._hall.connected:
            return
        for track, delivery in self._hall.projections.messages.unread_at(self._terminal.table):
            written, game = track.written, delivery.recipient.game
            is_its_game = game in {None, self._sent.last_game}
            is_showing = self._terminal.terminal in delivery.terminals
            if is_showing or not is_its_game or track.has_ended(self._hall.wall_ms):
                continue
            lasts_s = track.left_s(self._hall.wall_ms) or Seconds(0)
            yield self._sent.add(ShowMessage(written.message, written.text, written.by, game, lasts_s))

    def _confirm_sheets(self) -> Iterator[Order]:
        for game, table in self._known.items():
            if table.accepted is None or not self._holds(game):
                continue
            state = self._state(game)
            closed = state is not None and state.phase is Phase.CONFIRMED
            if not closed and self._last_order(game, ConfirmFromStation) is None:
                reported, accepted = reported_result(state), table.accepted.result
                is_corrected = reported is None or not is_same(reported, accepted)
                yield self._sent.add(ConfirmFromStation(game, is_corrected=is_corrected))

    def _close_last(self) -> Iterator[Order]:
        places = [number for number, order in enumerate(self._sent.orders) if given_game(order) is not None]
        last = places[-1] if places else None
        if last is None:
            return
        tournament = tournament_of(self._sent.orders[last])
        track = None if tournament is None else self._hall.projections.tournaments.get(tournament)
        if track is None or track.state.stage is not Stage.PUBLISHED:
            return
        if not any(isinstance(order, CloseTournament) for order in self._sent.orders[last:]):
            yield self._sent.add(CloseTournament(track.state.name))

    def _state(self, game: GameId) -> GameState | None:
        """Return the game as reported by the terminal, or as given to it until that is fully reported."""
        track = self._whole_log(game)
        if track is None:
            track = authoritative_log(game, self._hall.projections, self._hall.here)
        return None if track is None else track.state

    def _whole_log(self, game: GameId) -> GameTrack | None:
        track = self._hall.projections.track_of_terminal(game, self._terminal.terminal)
        if track is None or not self._hall.projections.handovers.has_given_steps(game, track):
            return None
        return track

    def _orders_since_given(self, game: GameId) -> Sequence[Order]:
        """Return the orders since the terminal was given a game, or all if a backup lacks that order."""
        said = self._sent.since_given(game)
        return self._sent.orders if said is None else said

    def _last_order(self, game: GameId, kind: type[_OfGame]) -> _OfGame | None:
        orders = (order for order in reversed(self._orders_since_given(game)) if isinstance(order, kind))
        return next((order for order in orders if order.game == game), None)

    def _holds(self, game: GameId) -> bool:
        if self._sent.since_given(game) is not None:
            return True
        track = self._hall.projections.track_of_terminal(game, self._terminal.terminal)
        state = None if track is None else track.state
        ended = any(isinstance(o, VoidTable | RelieveTable) and o.game == game for o in self._sent.orders)
        return state is not None and state.phase is not Phase.VOIDED and not ended


def is_checking_in(state: GameState | None) -> bool:
    """Return whether some players have not checked in. A game that no terminal reported (None) is such."""
    return state is None or state.phase is Phase.SEATING


def _has_left(state: GameState | None, seat: SeatNo) -> bool:
    return state is not None and any(one.seat == seat and one.passive for one in state.seats)
