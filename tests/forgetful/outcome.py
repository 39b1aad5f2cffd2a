"""A game by imperfect people, entered through the real app, compared with the true one."""

import enum
from collections.abc import Iterator
from functools import cache

import msgspec

from base.errors import Refused
from core.game.ending.finished_game import finished_game
from core.game.ending.winnings import winnings
from core.game.state.game import GameState, HighNoon, Phase
from core.rule_set import RecordMode
from core.terms import SeatNo
from tests.forgetful.hands import CAREFUL, Faults
from tests.forgetful.people import People
from tests.forgetful.true_game import TrueGame, declare
from tests.true_games.by_fingers import disagreements, enter
from tests.true_games.record import GAMES, CardGame, files, read_games


class Sheet(enum.Enum):
    """The record sheet beside what truly happened."""

    RIGHT = "right"
    ASKED = "wrong, asked"
    """The doubtful fact was asked about when it mattered, or a line of the final sheet names it."""
    JUDGE = "judge called"
    """After earlier mistakes the table can no longer enter what is true, and calls the judge."""
    SILENT = "wrong, silent"


class Noon(enum.Enum):
    """The start of High Noon beside the true one."""

    NONE = "none"
    ON_TIME = "on time"
    ASKED = "asked"
    OVER = "over"
    """The game was over before the time in which to ask."""
    MISSED = "missed"


class Outcome(msgspec.Struct, frozen=True):
    """One simulated game. touches: from the first turn until the last elimination. judge: why called.

    differs: all in which a careful table's game is not the true one.
    """

    mode: RecordMode
    edition: str
    seats: int
    sheet: Sheet
    noon: Noon
    touches: int
    turns: int
    questions: int
    in_vain: int
    judge: str = ""
    differs: tuple[str, ...] = ()


def play_forgetful(seed: int, file: str, mode: RecordMode, faults: Faults) -> Outcome:
    """Play one game of a file of true games at a new table. seed: of the people, who also choose the game."""
    games = _games_of(file)
    game = games[seed % len(games)]
    entered = enter(game, mode, faults, seed)
    truth, people = entered.truth, entered.people
    return Outcome(
        mode=mode,
        edition="+".join((game.edition, *game.options)),
        seats=game.players,
        sheet=_sheet(entered.game, truth, people),
        noon=_noon(truth, people),
        touches=people.touches,
        turns=truth.final.turns,
        questions=people.tally.questions,
        in_vain=people.tally.in_vain,
        judge=entered.judge,
        differs=tuple(disagreements(game, mode, entered)) if faults == CAREFUL else (),
    )


@cache
def _games_of(file: str) -> tuple[CardGame, ...]:
    return tuple(read_games(GAMES / file))


def _sheet(game: GameState, truth: TrueGame, people: People) -> Sheet:
    if game.phase is not Phase.ENDED:
        # The game is over and the glass plays on.
        return Sheet.JUDGE
    try:
        computed = winnings(finished_game(declare(game, truth.roles, truth.rules)), truth.rules)
    except Refused:
        # The roles on the cards don't agree with what was entered, and the glass says so.
        return Sheet.JUDGE
    if computed == truth.winnings:
        return Sheet.RIGHT
    named = [(out.seat, out.by, out.cause, out.role) for out in game.eliminations]
    true = [(out.seat, out.by, out.cause, out.role) for out in truth.final.eliminations]
    was_asked = bool(people.tally.wrongly) or _was_asked_about_a_killer(truth, people)
    return Sheet.ASKED if named != true or was_asked else Sheet.SILENT


def _was_asked_about_a_killer(truth: TrueGame, people: People) -> bool:
    """Return whether the table was asked for the turn within a round of turns around an elimination."""
    fell = [
        h.before.turns for h in truth.happenings if len(h.after.eliminations) > len(h.before.eliminations)
    ]
    return any(abs(at - turn) <= len(truth.roles) for at in people.tally.about_turn for turn in fell)


def _noon(truth: TrueGame, people: People) -> Noon:
    """Compare the turns in which High Noon began.

    It is on time if it began in the right player's turn and was entered within that round of turns. It was
    asked about in time if the question came between the true reshuffle and the end of that round.
    """
    seats, entered = len(truth.roles), people.high_noon_entered
    armed, began = _true_noon(truth)
    if began is None:
        if entered is None or armed is not None:
            return Noon.NONE
        return Noon.ASKED if people.tally.about_deck else Noon.MISSED
    turns, seat = began
    if entered is not None and entered[1] == seat and abs(entered[0] - turns) < seats:
        return Noon.ON_TIME
    in_time = any((armed or 0) <= at <= turns + seats for at in people.tally.about_deck)
    if in_time:
        return Noon.ASKED
    return Noon.OVER if truth.final.turns < turns + seats else Noon.MISSED


def _true_noon(truth: TrueGame) -> tuple[int | None, tuple[int, SeatNo] | None]:
    """Return the turn whose reshuffle armed High Noon, and the number and seat of the turn that began it."""
    armed = next((h.before.turns for h in truth.happenings if h.after.high_noon is not HighNoon.OFF), None)
    for happening in truth.happenings:
        after = happening.after
        if after.high_noon is HighNoon.ON and after.turn is not None:
            return armed, (after.turns, after.turn)
    return armed, None


def tables() -> Iterator[tuple[str, RecordMode]]:
    """Every file of true games, one for each edition, options and size, in both modes."""
    yield from ((file.name, mode) for mode in RecordMode for file in files())
