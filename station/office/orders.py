"""What each terminal must still be told: orders that follow from the tournaments, found anew each time.

Nothing remembers that an order is owed. What should have been said is compared with what the
orders streams say, so a crash between a decision and its orders loses none of them, and none
is given twice.
"""

from collections.abc import Iterator, Sequence

from saloon.core.editions import rules_of
from saloon.core.game.commands import SeatTable
from saloon.core.game.events import SeatedPlayer
from saloon.core.game.match import MatchKind
from saloon.core.game.state import GameState, Phase
from saloon.core.orders import (
    AssignTable,
    CloseTournament,
    ConfirmFromStation,
    Order,
    SeatGame,
    VoidTable,
    WithdrawSeat,
)
from saloon.core.terms import GameId, SeatNo, TableNo
from saloon.core.tournament.budgets import stakes
from saloon.core.tournament.state import Stage, TournamentState
from saloon.station.enrolments import EnrolledTerminal
from saloon.station.office.published import PublishedTable
from saloon.station.projections import Projections

TAKEN_BACK = "The draw was taken back."
MOVED = "This terminal stands at another table now."


def orders_due(
    terminal: EnrolledTerminal, projections: Projections, published: dict[GameId, PublishedTable], pin: str
) -> tuple[Order, ...]:
    """What a terminal must still be told, in order. pin: argon2 hash of the judges' PIN, may be empty."""
    if terminal.revoked:
        return ()
    told = _Told(projections.orders.get(terminal.terminal, []))
    states = {
        game: track.state
        for game in {*published, *told.games}
        if (track := projections.told_by(game, terminal.terminal)) is not None
    }
    return (
        *_assignment(terminal.table, told, pin),
        *_voided(terminal.table, told, states, published),
        *_seated(terminal.table, told, states, published),
        *_withdrawn(told, states, published),
        *_confirmed(told, states, published),
        *_closed(told, projections),
    )


class _Told:
    """What a terminal has been told so far, with what follows in this round of orders."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self.orders = list(orders)

    @property
    def games(self) -> tuple[GameId, ...]:
        """The games it was ever told to seat."""
        return tuple({order.seating.game: None for order in self.orders if isinstance(order, SeatGame)})

    def say(self, order: Order) -> Order:
        self.orders.append(order)
        return order

    def since_seating(self, game: GameId) -> tuple[Order, ...] | None:
        """What it was told after it last seated a game; None where it was not, or had to clear the table."""
        for number in range(len(self.orders) - 1, -1, -1):
            match self.orders[number]:
                case SeatGame(seating=SeatTable(game=seated)) if seated == game:
                    return tuple(self.orders[number + 1 :])
                case VoidTable(game=voided) if voided == game:
                    return None
                case _:
                    continue
        return None

    def assignment(self) -> AssignTable | None:
        """The last assignment."""
        return next((o for o in reversed(self.orders) if isinstance(o, AssignTable)), None)


_States = dict[GameId, GameState | None]


def _assignment(table: TableNo | None, told: _Told, pin: str) -> Iterator[Order]:
    if table is not None and told.assignment() != AssignTable(table, pin):
        yield told.say(AssignTable(table, pin))


def _voided(
    table: TableNo | None, told: _Told, states: _States, published: dict[GameId, PublishedTable]
) -> Iterator[Order]:
    for game in told.games:
        if not _holds(told, states, game):
            continue
        found = published.get(game)
        if found is None:
            yield told.say(VoidTable(game, TAKEN_BACK))
        elif table is not None and found.drawn.table != table and not found.is_accepted:
            yield told.say(VoidTable(game, MOVED))


def _seated(
    table: TableNo | None, told: _Told, states: _States, published: dict[GameId, PublishedTable]
) -> Iterator[Order]:
    for game, found in published.items():
        wanted = found.is_running and found.drawn.table == table and not found.is_accepted
        if wanted and not _holds(told, states, game):
            yield told.say(seat_game(found))


def _withdrawn(told: _Told, states: _States, published: dict[GameId, PublishedTable]) -> Iterator[Order]:
    for game, found in published.items():
        if found.is_accepted or not _holds(told, states, game):
            continue
        for number, player in enumerate(found.drawn.players, start=1):
            entrant = found.tournament.entrant(player)
            if entrant is None or not entrant.is_out:
                continue
            order = WithdrawSeat(game, SeatNo(number), ejected=entrant.ejected)
            if order not in (told.since_seating(game) or ()) and not _left(states.get(game), order.seat):
                yield told.say(order)


def _confirmed(told: _Told, states: _States, published: dict[GameId, PublishedTable]) -> Iterator[Order]:
    for game, found in published.items():
        if not found.is_accepted or not _holds(told, states, game):
            continue
        state = states.get(game)
        closed = state is not None and state.phase is Phase.CONFIRMED
        if not closed and ConfirmFromStation(game) not in (told.since_seating(game) or ()):
            yield told.say(ConfirmFromStation(game))


def _closed(told: _Told, projections: Projections) -> Iterator[Order]:
    last = next((o for o in reversed(told.orders) if isinstance(o, SeatGame)), None)
    if last is None:
        return
    track = projections.tournaments.get(last.seating.tournament)
    if track is None or track.state.stage is not Stage.PUBLISHED:
        return
    after = told.orders[told.orders.index(last) :]
    if not any(isinstance(order, CloseTournament) for order in after):
        yield told.say(CloseTournament(last.seating.tournament_name))


def _holds(told: _Told, states: _States, game: GameId) -> bool:
    """Whether the terminal has the game, as far as it was told or as it tells itself."""
    if told.since_seating(game) is not None:
        return True
    state = states.get(game)
    voided = any(isinstance(order, VoidTable) and order.game == game for order in told.orders)
    return state is not None and state.phase is not Phase.VOIDED and not voided


def _left(state: GameState | None, seat: SeatNo) -> bool:
    return state is not None and any(found.seat == seat and found.passive for found in state.seats)


def seat_game(found: PublishedTable) -> SeatGame:
    """The order that seats a published table."""
    tournament = found.tournament
    return SeatGame(
        SeatTable(
            game=found.drawn.game,
            tournament=tournament.tournament,
            tournament_name=tournament.name,
            rules=tournament.rules,
            round=found.round,
            table=found.drawn.table,
            seats=_seats(tournament, found),
            match=found.match,
        ),
        time_limit_min=tournament.waivers.time_limit_min,
    )


def _seats(tournament: TournamentState, found: PublishedTable) -> tuple[SeatedPlayer, ...]:
    """The players with the names that the table sees; namesakes with their club. Stakes stay unseen."""
    players = found.drawn.players
    entrants = [entrant for player in players if (entrant := tournament.entrant(player)) is not None]
    is_game = found.match is MatchKind.GAME
    brought = stakes(tournament, rules_of(tournament.rules), found.round) if is_game else {}
    names = [entrant.name.casefold() for entrant in entrants]
    return tuple(
        SeatedPlayer(
            entrant.player,
            f"{entrant.name} ({entrant.club})"
            if names.count(entrant.name.casefold()) > 1 and entrant.club
            else entrant.name,
            brought.get(entrant.player),
        )
        for entrant in entrants
    )
