"""Convert the record sheet of a game or duel to the fields of its form, and back.

Fields of a game, where N is a seat and K a row:

``role-N``: role; may be left empty if it follows from the others.
``out-K``, ``by-K``: the seat eliminated, and the seat that eliminated it or another cause; the second may be
    left empty if no money depends on it.
``same-K``: by the same card as the previous elimination.
``turn-K``: the seat whose turn it was.
``left-N``: the player abandoned the game.
``character-N``, ``price-N``, ``cards-N``, ``turns-N``: bought and kept; turns played.
``time-limit``, or ``ruled-ending`` with its reason ``ruled``: an ending that doesn't follow.
``back-K``, ``card-K``, ``after-K``: a seat brought back by an event card, after that elimination.
``reason``: why an accepted sheet is corrected.

Fields of a duel:

``score-1``, ``score-2``: how many characters each seat has eliminated.
``how``: ``score``, ``left-N`` if that seat left, or ``ruled-N`` if the judge names that seat the winner.
``ruling``, ``reason``: why the judge rules or corrects.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from base.errors import Refused
from core.editions.edition import Edition
from core.game.ending.endings import InProgress, outcome
from core.game.ending.finished_game import FinishedGame
from core.game.result import FinishedDuel
from core.game.state.duel import BETTER_PLACED, OTHER_PLACED, DuelBecause, opponent_of, winner_by_score
from core.game.state.game import Abandonment, Cause, Comeback, Elimination, EventCard
from core.rule_set import RecordMode
from core.terms import SHERIFF_SEAT, Ending, Role, SeatNo
from station.projections.cards import FloorCard
from station.sheets.purse_fields import purse_fields, with_purse
from station.sheets.questions import SheetQuestions, sheet_questions
from station.text.reasons import FormReason
from station.web.forms import Fields, FormFaults

_ROWS: Final = range(1, 31)
"""More rows than any game has eliminations or comebacks."""
_UNKNOWN: Final = "unknown"
"""The value of ``by-K`` in forms of before if nobody noted the eliminator."""


def game_fields(known: FinishedGame | None, edition: Edition) -> dict[str, str]:
    """Return the form's first values: those of a known game, or empty ones."""
    typed = {"role-1": Role.SHERIFF.value}
    if known is None:
        return typed
    for seat, role in enumerate(known.roles, 1):
        typed[f"role-{seat}"] = role.value
    for number, elimination in enumerate(known.eliminations, 1):
        typed[f"out-{number}"] = str(elimination.seat)
        typed[f"by-{number}"] = _by_in_text(elimination)
        typed[f"turn-{number}"] = str(elimination.turn)
        if number > 1 and known.eliminations[number - 2].effect == elimination.effect:
            typed[f"same-{number}"] = "yes"
    for abandonment in known.abandonments:
        typed[f"left-{abandonment.seat}"] = "yes"
    if known.ending is Ending.NO_WINNER:
        typed["time-limit"] = "yes"
    elif known.ruled:
        typed["ruled-ending"] = known.ending.value
    typed["ruled"] = known.ruled
    for number, back in enumerate(known.comebacks, 1):
        typed |= {
            f"back-{number}": str(back.seat),
            f"card-{number}": back.card.value,
            f"after-{number}": str(back.after),
        }
    return typed | purse_fields(known, sheet_questions(edition, len(known.roles), RecordMode.FULL))


_OF_A_SEAT: Final = frozenset({"role", "left", "character", "price", "cards", "turns", "score"})
_OF_A_ROW: Final = ("out", "by", "turn", "same")


def move_answers(typed: Mapping[str, str], before: Sequence[str], now: Sequence[str]) -> dict[str, str]:
    """Return a form's values after the seats have changed: the answers about players who are still here."""
    seats = {str(seat): str(now.index(who) + 1) for seat, who in enumerate(before, 1) if who in now}
    moved = {
        f"{name}-{seats[seat]}": value
        for (name, _, seat), value in ((field.rpartition("-"), value) for field, value in typed.items())
        if name in _OF_A_SEAT and seat in seats and value != Role.SHERIFF.value
    }
    for row in _ROWS:
        answers = {f"{name}-{row}": typed.get(f"{name}-{row}", "") for name in _OF_A_ROW}
        people = {value for value in answers.values() if value.isdigit()}
        if people <= seats.keys():
            moved |= {field: seats.get(value, value) for field, value in answers.items() if value}
    return moved


def read_game(fields: Fields, card: FloorCard, edition: Edition, mode: RecordMode) -> FinishedGame:
    """Read a game from the form, with the ending that follows from the eliminations.

    Facts that the form doesn't ask for, such as when a player left, are copied from the known game. Raises
    FaultyForm. The core checks whether the result is possible.
    """
    known = find_game(card)
    players = len(card.players)
    questions = sheet_questions(edition, players, mode)
    faults = FormFaults()
    roles = _roles(fields, players, questions.dealt, faults)
    eliminations = _eliminations(fields, roles, known, questions, faults)
    ruled, time_limit = None, fields.is_ticked("time-limit")
    with faults.collect("ruled"):
        ruled = _ruled_ending(fields)
    comebacks = _comebacks(fields, roles, faults)
    ending = Ending.NO_WINNER
    if not faults.all:
        result = outcome(roles, eliminations, edition.readings, comebacks, time_limit=time_limit, ruled=ruled)
        if isinstance(result, InProgress):
            free = next((row for row in _ROWS if not fields.text(f"out-{row}")), _ROWS[-1])
            faults.add(f"out-{free}", FormReason.NOT_OVER)
        else:
            ending = result.ending
    game = FinishedGame(
        round=card.round,
        table=card.table,
        players=card.players,
        roles=roles,
        eliminations=eliminations,
        abandonments=tuple(_abandonments(fields, roles, known)),
        ending=ending,
        ruled=fields.text("ruled") if ruled is not None or time_limit else "",
        comebacks=comebacks,
    )
    game = with_purse(game, fields, questions, known, faults)
    faults.refuse()
    return game


def elimination_rows(typed: Mapping[str, str], questions: SheetQuestions, players: int) -> int:
    """Return the number of rows for eliminations. Players who came back may be eliminated again."""
    filled = max((row for row in _ROWS if typed.get(f"out-{row}")), default=0)
    return max(players - 1 + questions.comebacks, filled)


def comeback_rows(typed: Mapping[str, str], questions: SheetQuestions) -> int:
    """Return the number of rows for players who came back, with a free one, or 0 if nobody can."""
    filled = max((row for row in _ROWS if typed.get(f"back-{row}")), default=0)
    return max(questions.comebacks, filled + (filled > 0))


def find_game(card: FloorCard) -> FinishedGame | None:
    """Return a table's accepted game, or else the reported one, or None."""
    known = card.accepted or card.reported
    return known if isinstance(known, FinishedGame) else None


def _ruled_ending(fields: Fields) -> Ending | None:
    text = fields.text("ruled-ending")
    if not text:
        return None
    if not fields.text("ruled"):
        raise Refused(FormReason.RULING_REASON)
    try:
        return Ending(text)
    except ValueError as error:
        raise Refused(FormReason.NO_RULING) from error


def _roles(fields: Fields, players: int, dealt: Sequence[Role], faults: FormFaults) -> tuple[Role, ...]:
    """Read the role of each seat, filling in empty ones if the remaining role cards are all of one kind."""
    texts = {seat: fields.text(f"role-{seat}") for seat in range(1, players + 1)}
    texts[SHERIFF_SEAT] = Role.SHERIFF.value
    roles = {seat: role for seat, text in texts.items() for role in Role if role.value == text}
    left = list((Counter(dealt) - Counter(roles.values())).elements())
    empty = [seat for seat, text in texts.items() if not text]
    if len(set(left)) == 1 and len(left) == len(empty):
        roles |= dict.fromkeys(empty, left[0])
    for seat in sorted(texts.keys() - roles.keys()):
        faults.add(f"role-{seat}", FormReason.ROLE_MISSING, seat=seat)
    return tuple(roles.get(seat, Role.OUTLAW) for seat in texts)


def _abandonments(fields: Fields, roles: Sequence[Role], known: FinishedGame | None) -> Iterator[Abandonment]:
    before = {} if known is None else {left.seat: left for left in known.abandonments}
    for number in range(1, len(roles) + 1):
        if fields.is_ticked(f"left-{number}"):
            seat = SeatNo(number)
            yield before.get(seat, Abandonment(seat, 0))


def _comebacks(fields: Fields, roles: Sequence[Role], faults: FormFaults) -> tuple[Comeback, ...]:
    """Return the players who came back, in order of the eliminations."""
    comebacks: list[Comeback] = []
    for number in _ROWS:
        with faults.collect(f"back-{number}"):
            seat, after = (fields.number(f"{name}-{number}") for name in ("back", "after"))
            card = next((card for card in EventCard if card.value == fields.text(f"card-{number}")), None)
            if seat is None and after is None and card is None:
                continue
            if seat is None or after is None or card is None or not 1 <= seat <= len(roles):
                raise Refused(FormReason.COMEBACK_INCOMPLETE, row=number)
            comebacks.append(Comeback(SeatNo(seat), after, card))
    return tuple(sorted(comebacks, key=lambda back: back.after))


def _eliminations(
    fields: Fields,
    roles: Sequence[Role],
    known: FinishedGame | None,
    questions: SheetQuestions,
    faults: FormFaults,
) -> tuple[Elimination, ...]:
    before: dict[tuple[SeatNo, SeatNo | None, Cause], list[SeatNo]] = {}
    for elimination in () if known is None else known.eliminations:
        before.setdefault((elimination.seat, elimination.by, elimination.cause), []).append(elimination.turn)
    # A Rebel! may have become Sheriff, and a Sheriff who came back may be a Rebel!.
    decisive = {Role.SHERIFF, Role.REBEL} if fields.text("back-1") else {Role.SHERIFF}
    eliminations: list[Elimination] = []
    for number in _ROWS:
        with faults.collect(f"out-{number}"):
            seat = _seat(fields, f"out-{number}", number, roles)
            by_field = fields.text(f"by-{number}")
            if seat is None:
                if by_field:
                    raise Refused(FormReason.OUT_OF_WHOM, number=number)
                continue
            by = _seat(fields, f"by-{number}", number, roles) if by_field.isdigit() else None
            cause = _cause(by_field, number, questions)
            if (seat, by, Cause.OWN_DUEL) in before:
                cause = Cause.OWN_DUEL
            is_same = fields.is_ticked(f"same-{number}") and bool(eliminations)
            effect = (eliminations[-1].effect if eliminations else 0) + (not is_same)
            turn = _seat(fields, f"turn-{number}", number, roles) if questions.turns else None
            if turn is None and questions.turns and roles[seat - 1] in decisive:
                raise Refused(FormReason.TURN_MISSING, number=number)
            turns = before.get((seat, by, cause), [])
            turn = turn or (turns.pop(0) if turns else by or seat)
            eliminations.append(Elimination(seat, by, turn, effect, cause, roles[seat - 1]))
    return tuple(eliminations)


def _seat(fields: Fields, name: str, number: int, roles: Sequence[Role]) -> SeatNo | None:
    seat = fields.number(name)
    if seat is not None and not 1 <= seat <= len(roles):
        raise Refused(FormReason.NO_SUCH_SEAT, number=number, seat=seat)
    return None if seat is None else SeatNo(seat)


def _cause(text: str, number: int, questions: SheetQuestions) -> Cause:
    if text.isdigit() or (text in {"", _UNKNOWN} and not questions.eliminators):
        return Cause.PLAYER
    cause = next((cause for cause in questions.causes if cause.value == text), None)
    if cause is None:
        raise Refused(FormReason.NO_CAUSE, number=number)
    return cause


def _by_in_text(elimination: Elimination) -> str:
    if elimination.by is None and elimination.cause is Cause.PLAYER:
        return ""
    return str(elimination.by or elimination.cause.value)


_LEFT: Final = (DuelBecause.OPPONENT_LEFT, DuelBecause.OPPONENT_EJECTED)


def duel_fields(known: FinishedDuel | None) -> dict[str, str]:
    """Return the form's first values: those of a known duel, or empty ones."""
    if known is None:
        return {"score-1": "", "score-2": "", "how": "score", "ruling": ""}
    how = "score"
    if known.because in _LEFT:
        how = f"left-{opponent_of(known.winner)}"
    elif known.because is DuelBecause.RULING:
        how = f"ruled-{known.winner}"
    first, second = known.score
    return {"score-1": str(first), "score-2": str(second), "how": how, "ruling": known.ruling}


def read_duel(fields: Fields, card: FloorCard, *, ejected: frozenset[SeatNo]) -> FinishedDuel:
    """Read a duel from the form. ``ejected`` are the seats whose player a judge has ejected.

    The known characters are kept if the score is unchanged. Raises Refused for an invalid score or ending.
    The core checks whether the result is possible.
    """
    known = find_duel(card)
    score = (fields.number("score-1") or 0, fields.number("score-2") or 0)
    winner, because = _duel_ending(fields.text("how"), score, card, ejected)
    first, second = card.players
    return FinishedDuel(
        round=card.round,
        table=card.table,
        kind=card.match,
        players=(first, second),
        winner=winner,
        score=score,
        because=because,
        ruling=fields.text("ruling") if because is DuelBecause.RULING else "",
        characters=known.characters if known is not None and known.score == score else ((), ()),
    )


def find_duel(card: FloorCard) -> FinishedDuel | None:
    """Return a table's accepted duel, or else the reported one, or None."""
    known = card.accepted or card.reported
    return known if isinstance(known, FinishedDuel) else None


def _duel_ending(
    how: str, score: tuple[int, int], card: FloorCard, ejected: frozenset[SeatNo]
) -> tuple[SeatNo, DuelBecause]:
    for seat in (BETTER_PLACED, OTHER_PLACED):
        if how == f"left-{seat}":
            because = DuelBecause.OPPONENT_EJECTED if seat in ejected else DuelBecause.OPPONENT_LEFT
            return opponent_of(seat), because
        if how == f"ruled-{seat}":
            return seat, DuelBecause.RULING
    if how != "score":
        raise Refused(FormReason.HOW_MISSING)
    winner = winner_by_score(card.match, score)
    if winner is None:
        raise Refused(FormReason.DUEL_NOT_OVER, score=f"{score[0]}-{score[1]}")
    return winner, DuelBecause.ELIMINATIONS
