"""Decisions on commands at a table with a duel: the events that each one causes, or its refusal."""

from typing import assert_never

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.commands import Abandon, EndTurn
from saloon.core.game.duel import commands as c
from saloon.core.game.duel.events import DuelEvent
from saloon.core.game.duel.fight import (
    carry_wounds,
    choose_line,
    end_duel_turn,
    enter,
    heal,
    left,
    rule,
    wound,
)
from saloon.core.game.duel.opening import draw_starter, pick, show_line, take_advantage, turn_up
from saloon.core.game.duel.state import DuelState
from saloon.core.game.events import GameEvent
from saloon.core.game.play.abandonment import player_leaves
from saloon.core.game.reasons import GameReason
from saloon.core.game.seats import require_phase
from saloon.core.game.state import GameState, Phase

_Opening = c.TurnUpCharacters | c.TakeAdvantage | c.PickCharacter | c.ShowLine | c.DrawStarter
_Fighting = c.EnterCharacter | c.ChooseLine | c.WoundCharacter | c.HealCharacter | c.CarryWounds | c.RuleDuel


def decide_at_duel(
    state: GameState, command: c.DuelCommand | EndTurn | Abandon, edition: Edition
) -> tuple[GameEvent, ...]:
    """Return the events of a move of a duel, or of a player leaving it. Raises Refused."""
    duel = state.duel
    if duel is None:
        raise Refused(GameReason.NOT_A_DUEL)
    match command:
        case Abandon():
            events = left(duel, command.seat, ejected=command.ejected)
            return (*player_leaves(state, command), *events)
        case EndTurn():
            require_phase(state, Phase.DUEL)
            return end_duel_turn(duel)
        case c.RuleDuel():
            # The judge may rule before everybody is here, too: one of the two may never come.
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
