"""The moves of a running duel: turns, front characters, wounds, entering characters, rulings and leaving."""

from base.errors import Refused
from core.editions.edition import Edition
from core.game.duel.commands import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
)
from core.game.duel.events import (
    CharacterEntered,
    CharacterHealed,
    CharacterWounded,
    DuelEvent,
    DuelTurnStarted,
    DuelWon,
    LineChosen,
    WoundsCarried,
)
from core.game.duel.steps import (
    DuelDraft,
    after_wounds,
    begin_if_ready,
    fighter_of,
    require_duel_phase,
    require_duel_seat,
    wounds_carry_over,
)
from core.game.state.duel import (
    BETTER_PLACED,
    OTHER_PLACED,
    DuelBecause,
    DuelPhase,
    DuelState,
    Remedy,
    opponent_of,
)
from core.game.state.reasons import GameReason
from core.terms import SeatNo


def end_duel_turn(duel: DuelState) -> tuple[DuelEvent, ...]:
    """End the turn and start the opponent's. Raises Refused while a character must enter.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.PLAYING)
    for seat in (BETTER_PLACED, OTHER_PLACED):
        if duel.entering(seat):
            raise Refused(GameReason.MUST_ENTER, seat=seat)
    return (DuelTurnStarted(BETTER_PLACED if duel.turn is None else opponent_of(duel.turn)),)


def choose_line(duel: DuelState, command: ChooseLine) -> tuple[DuelEvent, ...]:
    """Choose the front character for this turn, before drawing; never one in Jail. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.PLAYING)
    fighter_of(duel, command.seat, command.front)
    if command.seat != duel.turn:
        raise Refused(GameReason.NOT_ITS_TURN, seat=command.seat)
    if not duel.may_choose_line:
        raise Refused(GameReason.LINE_CHOSEN, seat=command.seat)
    if command.jailed is not None:
        fighter_of(duel, command.seat, command.jailed)
        if command.jailed is command.front and len(duel.side(command.seat).in_play) > 1:
            raise Refused(GameReason.JAILED_IN_FRONT, character=command.jailed)
    return (LineChosen(command.seat, command.front, command.jailed),)


def wound(duel: DuelState, command: WoundCharacter, edition: Edition) -> tuple[DuelEvent, ...]:
    """Wound a character; without life points it is eliminated, which may win the duel. Raises Refused.

    No Beer can save the last life point when only two players are left.
    Source: Championship 2010 v1.1, 1.2 and 4.
    """
    require_duel_phase(duel, DuelPhase.PLAYING)
    fighter_of(duel, command.seat, command.character)
    _check_points(command.points)
    draft = DuelDraft(duel).then(CharacterWounded(command.seat, command.character, command.points))
    return after_wounds(draft, command.seat, command.character, edition).events


def heal(duel: DuelState, command: HealCharacter) -> tuple[DuelEvent, ...]:
    """Give a character life points back, up to its maximum. Raises Refused, always for a Beer.

    Source: Championship 2010 v1.1, 1.2; with two players left: Championship 2010 v1.1, 4.
    """
    require_duel_phase(duel, DuelPhase.PLAYING)
    fighter = fighter_of(duel, command.seat, command.character)
    _check_points(command.points)
    if command.remedy is Remedy.BEER:
        raise Refused(GameReason.BEER_IN_A_DUEL)
    if fighter.life + command.points > fighter.max_life:
        raise Refused(GameReason.CHARACTER_FULL, character=command.character, maximum=fighter.max_life)
    return (CharacterHealed(command.seat, command.character, command.points),)


def enter(duel: DuelState, command: EnterCharacter, edition: Edition) -> tuple[DuelEvent, ...]:
    """Enter the next character of a pile; carried wounds may eliminate it at once. Raises Refused.

    A short duel starts this way too: its first turn starts once both players have a character and the starter
    is drawn.
    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.OPENING, DuelPhase.PLAYING)
    require_duel_seat(command.seat)
    if not duel.entering(command.seat):
        raise Refused(GameReason.NOBODY_ENTERS, seat=command.seat)
    if command.character not in edition.characters.deck:
        raise Refused(GameReason.NOT_IN_DECK, character=command.character)
    if command.character not in duel.may_enter(command.seat):
        raise Refused(GameReason.CANNOT_ENTER, character=command.character, seat=command.seat)
    draft = DuelDraft(duel).then(CharacterEntered(command.seat, command.character))
    if duel.phase is DuelPhase.OPENING:
        return begin_if_ready(draft).events
    return after_wounds(draft, command.seat, command.character, edition).events


def carry_wounds(duel: DuelState, command: CarryWounds, edition: Edition) -> tuple[DuelEvent, ...]:
    """Carry excess wounds over, one by one, to the character that enters next. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.PLAYING)
    require_duel_seat(command.seat)
    _check_points(command.points)
    if not wounds_carry_over(duel, edition):
        raise Refused(GameReason.WOUNDS_LOST)
    side = duel.side(command.seat)
    if side.in_play or not duel.entering(command.seat):
        raise Refused(GameReason.NOBODY_ENTERS, seat=command.seat)
    return (WoundsCarried(command.seat, command.points),)


def rule(duel: DuelState, command: RuleDuel) -> tuple[DuelEvent, ...]:
    """Name the winner by the judge's ruling, with a reason. Raises Refused.

    Source: Championship 2010 v1.1, 3; the time limit: reading D09.
    """
    if duel.phase is DuelPhase.WON:
        require_duel_phase(duel)
    require_duel_seat(command.winner)
    if not command.reason.strip():
        raise Refused(GameReason.RULING_WITHOUT_REASON)
    return (DuelWon(command.winner, DuelBecause.RULING, command.reason),)


def end_by_leaving(duel: DuelState, seat: SeatNo, *, ejected: bool) -> tuple[DuelEvent, ...]:
    """End a duel with the defeat of a player who leaves or is ejected. Raises Refused.

    Source: Championship 2010 v1.1, 1.3; reading D24.
    """
    if duel.phase is DuelPhase.WON:
        require_duel_phase(duel)
    require_duel_seat(seat)
    because = DuelBecause.OPPONENT_EJECTED if ejected else DuelBecause.OPPONENT_LEFT
    return (DuelWon(opponent_of(seat), because),)


def _check_points(points: int) -> None:
    if points < 1:
        raise Refused(GameReason.POINTS, points=points)
