"""Build the orders that give a game to a terminal and set its clock."""

from collections.abc import Iterator, Sequence

from core.editions import rules_of
from core.game.commands import SeatTable
from core.game.correction.takeover import StepWithOrigin, parts
from core.game.events import SeatedPlayer
from core.terminal.orders import SeatGame, SetClock, TakeGame
from core.terms import MatchKind, Seconds
from core.tournament.clock.clock import TimeLeft
from core.tournament.draw.budgets import stakes
from core.tournament.state import TournamentState
from station.hall.clocks import limit_min_of
from station.hall.published import PublishedTable


def take_game(
    steps: Sequence[StepWithOrigin], first: int, time_limit_min: int | None, reason: str = ""
) -> Iterator[TakeGame]:
    """Yield the orders that hand over a game's steps, from number ``first`` on, to another terminal."""
    for begun, piece in parts(steps, first):
        yield TakeGame(piece[0].step.game, begun, len(steps), piece, time_limit_min, reason)


def seat_game(found: PublishedTable) -> SeatGame:
    """Return the order that seats a published table."""
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
        time_limit_min=limit_min_of(found),
        clock_waits=limit_min_of(found) is not None,
    )


def has_stakes(found: PublishedTable) -> bool:
    """Return whether the order that seats a table contains stakes for an auction."""
    return any(seat.stake is not None for seat in _seats(found.tournament, found))


def _seats(tournament: TournamentState, found: PublishedTable) -> tuple[SeatedPlayer, ...]:
    """Return the players with names as shown at the table; namesakes with their club. Stakes stay hidden."""
    players = found.drawn.players
    entrants = [entrant for player in players if (entrant := tournament.entrant(player)) is not None]
    is_game = found.match is MatchKind.GAME
    brought = stakes(tournament, rules_of(tournament.rules), found.round) if is_game else {}
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


def set_clock(found: PublishedTable, left: TimeLeft, limit: Seconds, doubts: int) -> SetClock:
    """Return the order that sets the clock of a table's terminal to the current state."""
    table, clock = found.drawn.table, left.clock
    return SetClock(
        found.drawn.game,
        clock.changes_of(table),
        limit,
        left.left_s,
        started=clock.is_started,
        held=clock.stands(table),
        extended_s=clock.time_given_to(table),
        answers=doubts,
        ends_pause=clock.ended_pause_of(table),
    )
