"""Differences between a game as entered into Saloon and as the simulator recorded it."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from core.editions.edition import Edition, TieBreak
from core.game.ending.finished_game import finished_game, finished_outcome
from core.game.ending.winnings import winnings
from core.game.state.game import GameState
from core.terms import Ending, Role, SeatNo
from tests.true_games.careful import Seating, cause_of
from tests.true_games.record import CardGame, Effect, NoonTakes

_ENDINGS: Final = {
    "law": Ending.LAW_WINS,
    "outlaws": Ending.OUTLAWS_WIN,
    "renegade": Ending.RENEGADE_WINS,
    None: Ending.NO_WINNER,
}
OWN_READINGS: Final = {"simplified-2003": "simplified:all-by-outlaws"}
"""Saloon's own reading where it is not the simulator's: D34."""

_BY_CARD: Final = "eliminated by each card"


def dollars_under(game: CardGame, reading: str | None) -> tuple[int, ...]:
    """Return the dollars by the seats of the table. reading: None for the simulator's own.

    A game that a reading pays alike does not name it.
    """
    named = {other.reading: other.dollars for other in game.truth.dollars_alternatives}
    return Seating(game).by_seat(named.get(reading or "", game.truth.dollars))


def differences(
    game: CardGame,
    final: GameState,
    rules: Edition,
    high_noon: tuple[int, SeatNo] | None,
    *,
    by_card: bool = True,
) -> list[str]:
    """Return all that differs. final: with the roles declared. high_noon: turn and seat that it began with.

    by_card: it was entered who fell to one card; a table is asked only where somebody is paid otherwise.
    Raises Refused where the roles do not fit what was entered.
    """
    truth = _truth(game)
    played = _facts(final, rules, high_noon)
    if not by_card:
        del played[_BY_CARD]
        _leave_out_unasked(truth, played)
    if TieBreak.TURNS_PLAYED not in rules.tie_breaks:
        # Nobody counts them there.
        del played["turns played"]
    return [
        f"{game.name}: {what}: {played[what]}, truly {truth[what]} {sorted(game.open_points)}"
        for what in played
        if played[what] != truth[what]
    ]


def _leave_out_unasked(truth: dict[str, Any], played: dict[str, Any]) -> None:
    """Leave out of the truth who fell to the card that ended the game, and need not be entered."""
    true, entered, last = truth["eliminations"], played["eliminations"], truth[_BY_CARD][-1:]
    if last and len(true) - last[0] < len(entered) < len(true):
        truth["eliminations"] = true[: len(entered)]
        del played["alive"]


def _truth(game: CardGame) -> dict[str, object]:
    truth, seating = game.truth, Seating(game)
    at = seating.at
    fatal = [one for one in game.happenings if isinstance(one, Effect | NoonTakes) and one.out]
    assert [out for one in fatal for out in one.out] == [out[:3] for out in truth.eliminations]
    return {
        "ending": _ENDINGS[truth.winner],
        "winnings": dollars_under(game, OWN_READINGS.get(game.edition)),
        "alive": seating.by_seat(truth.alive),
        "eliminations": [
            (at(seat), None if by is None else at(by), cause_of(one, seat, by, cause))
            for one in fatal
            for seat, by, cause in one.out
        ],
        _BY_CARD: [len(one.out) for one in fatal],
        "final duel": () if truth.final_duel is None else (at(truth.final_duel),),
        "reshuffles": truth.reshuffles,
        "High Noon": truth.high_noon and (truth.high_noon.turn_index, at(truth.high_noon.seat)),
        "Revolution": [at(truth.revolution.seat)] if truth.revolution else [],
        "Deputies out before it": {at(seat) for seat in truth.dead_before_revolution},
        "turns played": seating.by_seat(truth.turns_played),
    }


def _facts(final: GameState, rules: Edition, high_noon: tuple[int, SeatNo] | None) -> dict[str, object]:
    finished = finished_game(final)
    outcome = finished_outcome(finished, rules)
    return {
        "ending": outcome.ending,
        "winnings": winnings(finished, rules),
        "alive": tuple(seat.seat in outcome.alive for seat in final.seats),
        "eliminations": [(out.seat, out.by, out.cause) for out in finished.eliminations],
        _BY_CARD: [
            len(list(group)) for _, group in groupby(finished.eliminations, key=lambda out: out.effect)
        ],
        "final duel": outcome.final_duel_lost,
        "reshuffles": final.reshuffles,
        "High Noon": high_noon,
        "Revolution": [made.seat for made in outcome.revolutions],
        "Deputies out before it": set(_deputies(outcome.before_revolution, outcome.roles)),
        "turns played": final.turns_played,
    }


def _deputies(seats: tuple[SeatNo, ...], roles: tuple[Role, ...]) -> Iterator[SeatNo]:
    return (seat for seat in seats if roles[seat - 1] is Role.DEPUTY)
