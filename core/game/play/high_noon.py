"""The "High Noon" rule: when it starts, and the life points that it takes."""

from collections.abc import Collection
from typing import assert_never

from core.editions.edition import Edition
from core.editions.game_rules import HighNoonStarter
from core.editions.readings import HighNoonStarterDied
from core.game.state.game import HighNoon
from core.terms import SeatNo


def reshuffles_to_high_noon(players: int, edition: Edition) -> int | None:
    """Return the number of reshuffles that lead to High Noon, or None if the edition has no High Noon.

    players: number of players when the game began.
    Source: Championship 2022/23 v1.4, 1.1 "High Noon"; 4, and 8 or more, players: reading D16.
    """
    if edition.high_noon is None:
        return None
    for row in edition.high_noon.thresholds:
        if row.players_from <= players and (row.players_to is None or players <= row.players_to):
            return row.reshuffles
    return None


def high_noon_after_reshuffle(now: HighNoon, *, count: int, threshold: int | None) -> HighNoon:
    """Return the state of High Noon after a reshuffle. ``count`` is the number of reshuffles so far.

    Source: Championship 2022/23 v1.4, 1.1 "High Noon"; further reshuffles: reading D15.
    """
    if now is HighNoon.OFF and threshold is not None and count >= threshold:
        return HighNoon.WAITING
    return now


def high_noon_at_turn_start(
    now: HighNoon,
    edition: Edition,
    *,
    seat: SeatNo,
    previous: SeatNo | None,
    sheriff: SeatNo,
    living: Collection[SeatNo],
) -> HighNoon:
    """Return the state of High Noon as a seat's turn starts.

    In some editions it begins with the Sheriff's turn; in others with the first turn after the Sheriff's. If
    that player is eliminated in the turn of the last reshuffle, the next one may begin it (D47).

    previous: the seat whose turn ended, or None for the first turn.
    living: the seats in play.
    Source: Championship 2022/23 v1.4, 1.1 "High Noon"; readings D09, D10, D11, D47.
    """
    if now is HighNoon.CALLED:
        return HighNoon.ON
    if now is not HighNoon.WAITING or edition.high_noon is None:
        return now
    match edition.high_noon.starter:
        case HighNoonStarter.SHERIFF:
            begins = seat == sheriff
        case HighNoonStarter.AFTER_SHERIFF:
            is_first = seat == _first_after(sheriff, living)
            reading = edition.readings.high_noon_starter_died
            begins = previous == sheriff or (is_first and reading is HighNoonStarterDied.NEXT_LIVING)
        case _:
            assert_never(edition.high_noon.starter)
    return HighNoon.ON if begins else now


def _first_after(sheriff: SeatNo, living: Collection[SeatNo]) -> SeatNo | None:
    others = (seat for seat in living if seat != sheriff)
    return min(others, key=lambda seat: (seat < sheriff, seat), default=None)


def high_noon_loss(now: HighNoon, edition: Edition, *, passive: bool) -> int:
    """Return the life points that High Noon takes at the start of a turn.

    passive: whether the seat's player has left.
    Source: Championship 2022/23 v1.4, 1.1 "High Noon"; passive players: reading D12.
    """
    if now is not HighNoon.ON:
        return 0
    return 0 if passive and not edition.readings.high_noon_affects_passive else 1
