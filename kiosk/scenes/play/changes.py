"""What life points changed just now, for three seconds on the panel."""

from typing import Final

from saloon.core.game.setup.characters import Character
from saloon.core.game.state import GameState, Phase
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.scene import Change

SHOWN_MS: Final = 3000
_Place = tuple[SeatNo, Character | None]


def changes_after(
    before: GameState | None, after: GameState | None, shown: tuple[Change, ...], now_ms: int
) -> tuple[Change, ...]:
    """The changes to show from now on; those of one seat, or character, add up while they are shown."""
    if before is None or after is None or before.game != after.game:
        return ()
    fresh = {(change.seat, change.character): change for change in shown if change.until_ms > now_ms}
    old = _life(before)
    for place, life in _life(after).items():
        points = life - old.get(place, life)
        if points:
            earlier = fresh[place].points if place in fresh else 0
            fresh[place] = Change(place[0], earlier + points, now_ms + SHOWN_MS, place[1])
    return tuple(change for change in fresh.values() if change.points)


def _life(game: GameState) -> dict[_Place, int]:
    """The life points that hands can change now: of seats, or of the characters of a duel."""
    if game.phase is Phase.PLAYING:
        return {(seat.seat, None): seat.life for seat in game.seats if seat.in_play}
    if game.duel is None:
        return {}
    return {
        (side.seat, fighter.character): fighter.life for side in game.duel.sides for fighter in side.in_play
    }
