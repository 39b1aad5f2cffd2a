"""Build the orders that hand a game to a terminal and set its clock, and look up earlier ones."""

from collections.abc import Iterator, Sequence

from core.editions.loader import rules_of
from core.game.orders import AssignTable, Order, RelieveTable, SeatGame, SetClock, TakeGame, VoidTable
from core.game.setup import SeatTable
from core.game.state.game import SeatedPlayer
from core.game.takeover import StepWithOrigin, origins_of, parts
from core.terms import GameId, MatchKind, Seconds
from core.tournament.standings.ledger import stakes
from core.tournament.state.tournament import TournamentState
from core.tournament.timeline import TimeLeft
from station.hall.clocks import limit_min_of
from station.hall.published import PublishedTable


def take_game(
    steps: Sequence[StepWithOrigin], first: int, time_limit_min: int | None, reason: str = ""
) -> Iterator[TakeGame]:
    """Yield the orders that hand over a game to another terminal, from step number ``first`` on."""
    for begun, piece in parts(steps, first):
        yield TakeGame(piece[0].step.game, begun, len(steps), piece, time_limit_min, reason)


def seat_game(table: PublishedTable) -> SeatGame:
    """Return the order that seats a published table."""
    tournament = table.tournament
    return SeatGame(
        SeatTable(
            game=table.drawn.game,
            tournament=tournament.tournament,
            tournament_name=tournament.name,
            rules=tournament.rules,
            round=table.round,
            table=table.drawn.table,
            seats=_seats(tournament, table),
            match=table.match,
        ),
        time_limit_min=limit_min_of(table),
        clock_waits=limit_min_of(table) is not None,
    )


def has_stakes(table: PublishedTable) -> bool:
    """Return whether the order that seats a table contains stakes for an auction."""
    return any(seat.stake is not None for seat in _seats(table.tournament, table))


def _seats(tournament: TournamentState, table: PublishedTable) -> tuple[SeatedPlayer, ...]:
    """Return the players as shown at the table: namesakes are told apart by their clubs."""
    players = table.drawn.players
    entrants = [entrant for player in players if (entrant := tournament.entrant(player)) is not None]
    is_game = table.match is MatchKind.GAME
    brought = stakes(tournament, rules_of(tournament.rules), table.round) if is_game else {}
    names = [entrant.name.casefold() for entrant in entrants]
    return tuple(
        SeatedPlayer(
            player=entrant.player,
            name=f"{entrant.name} ({entrant.club})"
            if names.count(entrant.name.casefold()) > 1 and entrant.club
            else entrant.name,
            stake=brought.get(entrant.player),
            warnings=len(entrant.warnings),
        )
        for entrant in entrants
    )


def set_clock(published: PublishedTable, left: TimeLeft, limit: Seconds, doubts: int) -> SetClock:
    """Return the order that sets the clock of a table's terminal to the current state."""
    table, clock = published.drawn.table, left.clock
    return SetClock(
        published.drawn.game,
        clock.changes_of(table),
        limit,
        left.left_s,
        started=clock.is_started,
        held=clock.is_paused_at(table),
        extended_s=clock.time_given_to(table),
        answers=doubts,
        ends_pause=clock.ended_pause_of(table),
    )


class SentOrders:
    """All orders sent to a terminal, to which the orders of the current pass are added."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self.orders = list(orders)
        games = (given_game(order) for order in self.orders)
        self._games = [game for game in games if game is not None]

    @property
    def games(self) -> tuple[GameId, ...]:
        return tuple(dict.fromkeys(self._games))

    @property
    def last_game(self) -> GameId | None:
        return self._games[-1] if self._games else None

    def add(self, order: Order) -> Order:
        """Add an order and return it."""
        self.orders.append(order)
        game = given_game(order)
        if game is not None:
            self._games.append(game)
        return order

    def since_given(self, game: GameId) -> tuple[Order, ...] | None:
        """Return the orders since the terminal was given a game, or None if it does not have the game."""
        for number in range(len(self.orders) - 1, -1, -1):
            order = self.orders[number]
            if given_game(order) == game:
                return tuple(self.orders[number + 1 :])
            if isinstance(order, VoidTable | RelieveTable) and order.game == game:
                return None
        return None

    def assignment(self) -> AssignTable | None:
        return next((o for o in reversed(self.orders) if isinstance(o, AssignTable)), None)


def given_game(order: Order) -> GameId | None:
    """Return the game that an order gives to a terminal, or None for any other order."""
    match order:
        case SeatGame():
            return order.seating.game
        case TakeGame(first=0):
            return order.game
        case _:
            return None


def is_same_handover(one: TakeGame, other: Order) -> bool:
    """Return whether both orders hand over the same steps."""
    if not isinstance(other, TakeGame):
        return False
    return (one.game, one.first, origins_of(one.steps)) == (other.game, other.first, origins_of(other.steps))
