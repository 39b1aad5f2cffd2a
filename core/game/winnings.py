"""What a finished game pays each player, and by which row of the winnings tables."""

from saloon.core.editions.edition import Edition, WinningsCase, WinningsRow
from saloon.core.errors import BadData
from saloon.core.game.endings import Outcome
from saloon.core.game.finished import FinishedGame, finished_outcome
from saloon.core.terms import Dollars, SeatNo


def winnings(game: FinishedGame, edition: Edition) -> tuple[Dollars, ...]:
    """Dollars by seat.

    Raises Refused where the eliminations do not give the recorded ending, and BadData for a table
    size, or a role, that the edition's winnings tables do not have.
    Source: Championship 2022/23 v1.4, 1.1 "Winnings tables"; time limit: reading D09.
    """
    rows = winnings_rows(finished_outcome(game, edition), edition)
    return tuple(dollars_of(row, len(game.players), edition) for row in rows)


def winnings_rows(outcome: Outcome, edition: Edition) -> tuple[WinningsRow, ...]:
    """The row of the winnings tables that holds for each seat, by seat. Raises BadData where none does."""
    return tuple(_row(outcome, SeatNo(number), edition) for number in range(1, len(outcome.roles) + 1))


def dollars_of(row: WinningsRow, players: int, edition: Edition) -> Dollars:
    """What a row pays at a table of so many players. Raises BadData for a size that is not paid."""
    if players not in edition.tables.sizes:
        raise BadData(
            f"edition {edition.key}, winnings",
            f"nothing says what a table of {players} wins; allowed: {_listed(edition.tables.sizes)}",
        )
    return row.dollars[edition.tables.sizes.index(players)]


def _row(outcome: Outcome, seat: SeatNo, edition: Edition) -> WinningsRow:
    role = outcome.side(seat)
    if role is None:
        return _nothing(outcome, seat, edition)
    cases = {
        WinningsCase.ALWAYS,
        WinningsCase.ALIVE if seat in outcome.alive else WinningsCase.ELIMINATED,
        WinningsCase.LOST_FINAL_DUEL if seat in outcome.final_duel_lost else WinningsCase.NO_FINAL_DUEL,
    }
    for row in edition.winnings:
        if row.ending is outcome.ending and row.role is role and row.case in cases:
            return row
    raise BadData(f"edition {edition.key}, winnings", f"no row for {outcome.ending.value}, {role.value}")


def _nothing(outcome: Outcome, seat: SeatNo, edition: Edition) -> WinningsRow:
    """The row of those who can win nothing after, or without, a Revolution.

    Source: The Rebel!, Clarifications and particular cases; reading D37.
    """
    return WinningsRow(
        ending=outcome.ending,
        role=outcome.roles[seat - 1],
        printed="on neither side that could win (the Rebel!)",
        dollars=(Dollars(0),) * len(edition.tables.sizes),
    )


def _listed(sizes: tuple[int, ...]) -> str:
    return ", ".join(str(size) for size in sizes)
