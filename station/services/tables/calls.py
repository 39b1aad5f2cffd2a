"""Calls for the judge: which tables ring, and in which order they wait."""

from collections.abc import Collection, Iterable

from saloon.core.game.state import Phase
from saloon.core.terms import GameId
from saloon.station.services.authoritative_log import Standing, authoritative_log
from saloon.station.services.published import PublishedTable
from saloon.station.store.projections import GameTrack, Projections


def ringing_log(game: GameId, projections: Projections, here: Standing) -> GameTrack | None:
    """Return the log of a game whose table calls the judge; None if no call is open."""
    track = authoritative_log(game, projections, here)
    if track is None or track.state is None or track.state.phase is Phase.VOIDED:
        return None
    is_open = track.state.judge_called and track.calls > projections.ended_calls.get(game, 0)
    return track if is_open else None


def waiting_calls(
    tables: Iterable[PublishedTable], projections: Projections, here: Standing, coming: Collection[GameId]
) -> dict[GameId, int]:
    """Return the games whose tables wait for a judge, the first that called first, with the call's number.

    coming: the games whose calls a judge has answered; nobody waits behind them any more.
    """
    waiting = []
    for table in tables:
        game = table.drawn.game
        if table.is_accepted or game in coming:
            continue
        track = ringing_log(game, projections, here)
        if track is not None:
            waiting.append((track.called_at, game, track.calls))
    return {game: call for _called_at, game, call in sorted(waiting)}
