"""What life points changed just now, for three seconds on the panel."""

from typing import Final

from saloon.core.game.state import GameState, Phase
from saloon.kiosk.scenes.scene import Change

SHOWN_MS: Final = 3000


def changes_after(
    before: GameState | None, after: GameState | None, shown: tuple[Change, ...], now_ms: int
) -> tuple[Change, ...]:
    """The changes to show from now on; those of one seat add up while they are shown."""
    fresh = {change.seat: change for change in shown if change.until_ms > now_ms}
    if before is not None and after is not None and before.game == after.game:
        if before.phase is Phase.PLAYING and after.phase is Phase.PLAYING:
            for old, new in zip(before.seats, after.seats, strict=False):
                points = new.life - old.life
                if points and new.in_play:
                    earlier = fresh[new.seat].points if new.seat in fresh else 0
                    fresh[new.seat] = Change(new.seat, earlier + points, now_ms + SHOWN_MS)
    else:
        fresh = {}
    return tuple(change for change in fresh.values() if change.points)
