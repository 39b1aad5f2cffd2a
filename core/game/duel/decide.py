"""Decisions in a duel: its opening, and the events that each command causes, or its refusal."""

from typing import assert_never

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.readings import ShortDuelStart
from core.game.commands import Abandon, EndTurn
from core.game.duel import commands as c
from core.game.duel.commands import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.duel.events import (
    AdvantageTaken,
    CharacterPicked,
    CharactersTurnedUp,
    DuelEvent,
    LineShown,
    StarterDrawn,
)
from core.game.duel.fight import (
    carry_wounds,
    choose_line,
    end_by_leaving,
    end_duel_turn,
    enter,
    heal,
    rule,
    wound,
)
from core.game.duel.steps import DuelDraft, begin_if_ready, require_duel_phase, require_duel_seat
from core.game.events import GameEvent
from core.game.play.abandonment import player_leaves
from core.game.state.duel import BETTER_PLACED, TURNED_UP, DuelPhase, DuelState
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase


def turn_up(duel: DuelState, command: TurnUpCharacters, edition: Edition) -> tuple[DuelEvent, ...]:
    """Turn ten different characters of the deck face up; correctable until the choice. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.FACE_UP, DuelPhase.CHOICE)
    for character in command.characters:
        if character not in edition.characters.deck:
            raise Refused(GameReason.NOT_IN_DECK, character=character)
    different = len(set(command.characters))
    if different != TURNED_UP or len(command.characters) != TURNED_UP:
        raise Refused(GameReason.HOW_MANY_UP, expected=TURNED_UP, found=different)
    return (CharactersTurnedUp(command.characters),)


def take_advantage(duel: DuelState, command: TakeAdvantage) -> tuple[DuelEvent, ...]:
    """Choose for the better placed player to pick first or to start. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.CHOICE)
    return (AdvantageTaken(command.advantage),)


def pick(duel: DuelState, command: PickCharacter) -> tuple[DuelEvent, ...]:
    """Pick a free character, strictly by turns. Raises Refused.

    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.DRAFT)
    require_duel_seat(command.seat)
    if command.seat != duel.picker:
        raise Refused(GameReason.PICKS_NOT_NOW, seat=command.seat)
    if command.character not in duel.face_up:
        raise Refused(GameReason.NOT_FACE_UP, character=command.character)
    if command.character not in duel.free:
        raise Refused(GameReason.ALREADY_PICKED, character=command.character)
    return (CharacterPicked(command.seat, command.character),)


def show_line(duel: DuelState, command: ShowLine) -> tuple[DuelEvent, ...]:
    """Turn up the top two characters of a player's pile; once both have done so, the first turn starts.

    The order of the other characters stays secret. Raises Refused.
    Source: Championship 2010 v1.1, 1.2.
    """
    require_duel_phase(duel, DuelPhase.LINES)
    require_duel_seat(command.seat)
    side = duel.side(command.seat)
    if side.shown:
        raise Refused(GameReason.LINE_SHOWN, seat=command.seat)
    for character in (command.front, command.rear):
        if character not in side.picks:
            raise Refused(GameReason.NOT_OF_THIS_SIDE, character=character, seat=command.seat)
    if command.front is command.rear:
        raise Refused(GameReason.ONE_FOR_TWO_PLACES, character=command.front)
    return begin_if_ready(DuelDraft(duel).then(LineShown(command.seat, command.front, command.rear))).events


def draw_starter(duel: DuelState, command: DrawStarter, edition: Edition) -> tuple[DuelEvent, ...]:
    """Record the starter of a short duel, drawn by lot. Raises Refused.

    The edition's reading may let the better placed player start instead.
    Source: reading D40.
    """
    require_duel_phase(duel, DuelPhase.OPENING)
    require_duel_seat(command.seat)
    better_placed = edition.readings.short_duel_start is ShortDuelStart.BETTER_PLACED
    if better_placed and command.seat != BETTER_PLACED:
        raise Refused(GameReason.BETTER_PLACED_STARTS)
    return begin_if_ready(DuelDraft(duel).then(StarterDrawn(command.seat))).events


_Opening = c.TurnUpCharacters | c.TakeAdvantage | c.PickCharacter | c.ShowLine | c.DrawStarter
_Fighting = c.EnterCharacter | c.ChooseLine | c.WoundCharacter | c.HealCharacter | c.CarryWounds | c.RuleDuel


def decide_at_duel(
    state: GameState, command: c.DuelCommand | EndTurn | Abandon, edition: Edition
) -> tuple[GameEvent, ...]:
    """Return the events of a move in a duel, or of a player leaving it. Raises Refused."""
    duel = state.duel
    if duel is None:
        raise Refused(GameReason.NOT_A_DUEL)
    match command:
        case Abandon():
            events = end_by_leaving(duel, command.seat, ejected=command.ejected)
            return (*player_leaves(state, command), *events)
        case EndTurn():
            require_phase(state, Phase.DUEL)
            return end_duel_turn(duel)
        case c.RuleDuel():
            # The judge may also rule before both have checked in, as one may never come.
            require_phase(state, Phase.SEATING, Phase.DUEL)
            return rule(duel, command)
        case _:
            require_phase(state, Phase.DUEL)
            return decide_duel(duel, command, edition)


def decide_duel(duel: DuelState, command: c.DuelCommand, edition: Edition) -> tuple[DuelEvent, ...]:
    """Return the events of a move. Raises Refused."""
    match command:
        case c.TurnUpCharacters() | c.TakeAdvantage() | c.PickCharacter() | c.ShowLine() | c.DrawStarter():
            return _opening(duel, command, edition)
        case (
            c.EnterCharacter()
            | c.ChooseLine()
            | c.WoundCharacter()
            | c.HealCharacter()
            | c.CarryWounds()
            | c.RuleDuel()
        ):
            return _fighting(duel, command, edition)
        case _:
            assert_never(command)


def _opening(duel: DuelState, command: _Opening, edition: Edition) -> tuple[DuelEvent, ...]:
    match command:
        case c.TurnUpCharacters():
            return turn_up(duel, command, edition)
        case c.TakeAdvantage():
            return take_advantage(duel, command)
        case c.PickCharacter():
            return pick(duel, command)
        case c.ShowLine():
            return show_line(duel, command)
        case c.DrawStarter():
            return draw_starter(duel, command, edition)
        case _:
            assert_never(command)


def _fighting(duel: DuelState, command: _Fighting, edition: Edition) -> tuple[DuelEvent, ...]:
    match command:
        case c.EnterCharacter():
            return enter(duel, command, edition)
        case c.ChooseLine():
            return choose_line(duel, command)
        case c.WoundCharacter():
            return wound(duel, command, edition)
        case c.HealCharacter():
            return heal(duel, command)
        case c.CarryWounds():
            return carry_wounds(duel, command, edition)
        case c.RuleDuel():
            return rule(duel, command)
        case _:
            assert_never(command)
