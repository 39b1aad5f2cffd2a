"""The result of a finished game, and the checks that it is possible."""

from collections.abc import Collection

import msgspec

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.game.ending.endings import InProgress, Outcome, check_ruling, outcome
from core.game.ending.rebel import revolutions_of, seats_out
from core.game.state.game import (
    BY_PLAYERS,
    Abandonment,
    Because,
    Comeback,
    Elimination,
    EventCard,
    GameState,
    Phase,
)
from core.game.state.reasons import GameReason
from core.game.state.seats import check_roles, check_seated, require_phase
from core.terms import Dollars, Ending, PlayerId, Role, RoundNo, SeatNo, TableNo


def impossible(ending: Ending, result: InProgress | Outcome) -> Refused:
    """Return the reason why this can't be the ending of a game with these eliminations.

    Source: base game; The Rebel!, Clarifications and particular cases.
    """
    why = _contradiction(ending, result)
    if why is not None:
        return Refused(why)
    if isinstance(result, Outcome):
        return Refused(GameReason.ENDING_DIFFERS, expected=result.ending, found=ending)
    return Refused(GameReason.ENDING_NOT_REACHED)


def _contradiction(ending: Ending, result: InProgress | Outcome) -> GameReason | None:
    has_sheriff = result.current_sheriff in result.alive
    has_renegade = bool(result.seats_of(Role.RENEGADE, alive=True))
    is_one_alive = len(result.alive) == 1
    match ending:
        case Ending.LAW_WINS if not has_sheriff:
            return GameReason.LAW_WITHOUT_SHERIFF
        case Ending.LAW_WINS if result.seats_of(Role.OUTLAW, alive=True):
            return GameReason.OUTLAW_IN_PLAY
        case Ending.LAW_WINS if has_renegade:
            return GameReason.RENEGADE_IN_PLAY
        case Ending.OUTLAWS_WIN if has_sheriff:
            return GameReason.SHERIFF_IN_PLAY if result.revolution is None else GameReason.REBEL_IS_SHERIFF
        case Ending.OUTLAWS_WIN if has_renegade and is_one_alive:
            return GameReason.RENEGADE_ALONE
        case Ending.RENEGADE_WINS if not has_renegade:
            return GameReason.NO_RENEGADE_LEFT
        case Ending.RENEGADE_WINS if not is_one_alive:
            return GameReason.RENEGADE_NOT_ALONE
        case _:
            return None


class FinishedGame(msgspec.Struct, frozen=True):
    """A table's result, whether recorded by a terminal or copied from paper by the judge.

    ending: the recorded ending, which must be the one to which roles and eliminations lead.
    turns_played: empty if not counted.
    spent: dollars that each player paid at the table, or empty if nothing is for sale.
    characters: empty if none is recorded.
    prices: the part of ``spent`` that was for the character; the rest was for kept cards.
    ruled: the judge's words, if the judge ruled the ending at the time limit.
    comebacks: the eliminated players who came back, in order.

    Tuples with an item for each player are ordered by seat.
    """

    round: RoundNo
    table: TableNo
    players: tuple[PlayerId, ...]
    roles: tuple[Role, ...]
    eliminations: tuple[Elimination, ...]
    abandonments: tuple[Abandonment, ...]
    ending: Ending
    turns_played: tuple[int, ...] = ()
    spent: tuple[Dollars, ...] = ()
    characters: tuple[Character | None, ...] = ()
    prices: tuple[Dollars, ...] = ()
    ruled: str = ""
    comebacks: tuple[Comeback, ...] = ()


def survivors(game: FinishedGame) -> frozenset[SeatNo]:
    """Return the seats in play at the end."""
    made = revolutions_of(game.roles, game.eliminations, game.comebacks)
    out = seats_out(game.eliminations, made, game.comebacks)
    return frozenset(SeatNo(seat) for seat in range(1, len(game.players) + 1) if seat not in out)


def finished_game(state: GameState) -> FinishedGame:
    """Return the result of a game that has ended and whose roles are declared. Raises Refused."""
    if state.phase is Phase.ENDED:
        raise Refused(GameReason.ROLES_NOT_DECLARED)
    require_phase(state, Phase.SHEET, Phase.CONFIRMED)
    roles = tuple(seat.role for seat in state.seats if seat.role is not None)
    # The station may confirm a sheet copied from paper before this game has ended.
    if state.ending is None or len(roles) != len(state.seats):
        raise Refused(GameReason.ROLES_NOT_DECLARED)
    return FinishedGame(
        round=state.round,
        table=state.table,
        players=tuple(seat.player for seat in state.seats),
        roles=roles,
        eliminations=state.eliminations,
        abandonments=state.abandonments,
        ending=state.ending,
        turns_played=state.turns_played,
        spent=_dollars_by_seat(tuple(seat.spent for seat in state.seats)),
        characters=tuple(seat.character for seat in state.seats),
        prices=_dollars_by_seat(tuple(_price(state, seat.seat) for seat in state.seats)),
        ruled=state.ruled,
        comebacks=state.comebacks,
    )


def _price(state: GameState, seat: SeatNo) -> Dollars:
    sale = None if state.auction is None else state.auction.sale(seat)
    return Dollars(0) if sale is None else sale.price


def _dollars_by_seat(dollars: tuple[Dollars, ...]) -> tuple[Dollars, ...]:
    return dollars if any(dollars) else ()


def finished_outcome(game: FinishedGame, edition: Edition) -> Outcome:
    """Return the outcome of a finished game.

    Raises Refused if the recorded ending neither follows from the eliminations nor was ruled by the judge.
    """
    result = outcome(
        game.roles,
        game.eliminations,
        edition.readings,
        game.comebacks,
        time_limit=game.ending is Ending.NO_WINNER,
        ruled=game.ending if game.ruled and game.ending is not Ending.NO_WINNER else None,
    )
    if isinstance(result, InProgress) or result.ending is not game.ending:
        raise impossible(game.ending, result)
    if result.because is Because.JUDGE:
        check_ruling(result.ending, len(result.seats_of(Role.RENEGADE, alive=True)))
    return result


def check_finished(game: FinishedGame, edition: Edition) -> Outcome:
    """Return the outcome of a result, which may come from paper. Raises Refused if it is impossible."""
    check_seated(game.players, (row.players for row in edition.role_rows))
    check_roles(game.roles, len(game.players), edition)
    counted = game.turns_played
    if counted and (len(counted) != len(game.players) or min(counted) < 0):
        raise Refused(GameReason.TURNS_PLAYED)
    for number in range(len(game.eliminations)):
        _check_elimination(game, number)
    _check_effects(game.eliminations)
    _check_abandonments(game)
    _check_comebacks(game)
    result = finished_outcome(game, edition)
    if result.after < len(game.eliminations):
        late = game.eliminations[result.after]
        raise Refused(GameReason.AFTER_THE_END, count=result.after, seat=late.seat)
    for back in game.comebacks:
        if back.after == result.after and result.because not in {Because.TIME_LIMIT, Because.JUDGE}:
            raise Refused(GameReason.COMEBACK_WHEN, seat=back.seat, count=back.after)
    return result


def _check_elimination(game: FinishedGame, number: int) -> None:
    elimination = game.eliminations[number]
    before = game.eliminations[:number]
    _check_seats(game, (elimination.seat, elimination.turn))
    seat, by = elimination.seat, elimination.by
    out = _out_before(game, number)
    if seat in out or any((one.seat, one.effect) == (seat, elimination.effect) for one in before):
        raise Refused(GameReason.ELIMINATED_TWICE, seat=seat)
    declared = game.roles[seat - 1]
    if declared is not elimination.role:
        raise Refused(GameReason.SHOWN_OTHERWISE, seat=seat, shown=elimination.role, declared=declared)
    if by is None:
        return
    _check_seats(game, (by,))
    if elimination.cause not in BY_PLAYERS:
        raise Refused(GameReason.BY_NOBODY)
    if by == seat:
        raise Refused(GameReason.BY_ONESELF, seat=seat)
    is_same = any(earlier.seat == by and earlier.effect == elimination.effect for earlier in before)
    if by in out and not is_same and not _is_ghost(game, elimination, number):
        raise Refused(GameReason.BY_SOMEBODY_OUT, by=by)


def _out_before(game: FinishedGame, number: int) -> Collection[SeatNo]:
    before = game.eliminations[:number]
    return seats_out(before, revolutions_of(game.roles, before, game.comebacks), game.comebacks)


def _is_ghost(game: FinishedGame, elimination: Elimination, number: int) -> bool:
    return elimination.turn == elimination.by and any(
        back.seat == elimination.by and back.card is EventCard.GHOST_TOWN and back.after <= number
        for back in game.comebacks
    )


def _check_comebacks(game: FinishedGame) -> None:
    if game.comebacks and Role.REBEL not in game.roles:
        raise Refused(GameReason.NO_REBEL)
    for number, back in enumerate(game.comebacks):
        _check_seats(game, (back.seat,))
        earlier = game.comebacks[:number]
        if not _is_between_cards(game, back.after) or (earlier and earlier[-1].after > back.after):
            raise Refused(GameReason.COMEBACK_WHEN, seat=back.seat, count=back.after)
        before = game.eliminations[: back.after]
        if back.seat not in seats_out(before, revolutions_of(game.roles, before, earlier), earlier):
            raise Refused(GameReason.COMEBACK_NOT_OUT, seat=back.seat)
        left = (gone for gone in game.abandonments if gone.seat == back.seat)
        if any(gone.after_eliminations < back.after for gone in left):
            raise Refused(GameReason.ALREADY_PASSIVE, seat=back.seat)
        if back.card is EventCard.DEAD_MAN and not _may_be_dead_man(game, back.seat, earlier):
            raise Refused(GameReason.NOT_THE_DEAD_MAN, seat=back.seat)


def _is_between_cards(game: FinishedGame, after: int) -> bool:
    """Return whether the eliminations before and after this moment are by different cards."""
    if not 1 <= after <= len(game.eliminations):
        return False
    around = game.eliminations[after - 1 : after + 1]
    return len({elimination.effect for elimination in around}) == len(around)


def _may_be_dead_man(game: FinishedGame, seat: SeatNo, earlier: tuple[Comeback, ...]) -> bool:
    was_back = any(back.seat == seat and back.card is EventCard.DEAD_MAN for back in earlier)
    return seat == game.eliminations[0].seat and not was_back


def _check_effects(eliminations: tuple[Elimination, ...]) -> None:
    effect = 0
    for number, elimination in enumerate(eliminations, start=1):
        if elimination.effect not in {effect, effect + 1} or elimination.effect < 1:
            raise Refused(GameReason.EFFECTS_OUT_OF_ORDER, number=number)
        effect = elimination.effect


def _check_abandonments(game: FinishedGame) -> None:
    left: set[SeatNo] = set()
    for abandonment in game.abandonments:
        seat, count = abandonment.seat, abandonment.after_eliminations
        _check_seats(game, (seat,))
        if seat in left:
            raise Refused(GameReason.ABANDONED_TWICE, seat=seat)
        if not 0 <= count <= len(game.eliminations):
            raise Refused(GameReason.ABANDONED_WHEN, seat=seat, count=count)
        if seat in _out_before(game, count):
            raise Refused(GameReason.ABANDONED_WHEN_OUT, seat=seat)
        left.add(seat)


def _check_seats(game: FinishedGame, seats: tuple[SeatNo, ...]) -> None:
    for seat in seats:
        if not 1 <= seat <= len(game.players):
            raise Refused(GameReason.NO_SEAT, seat=seat)
