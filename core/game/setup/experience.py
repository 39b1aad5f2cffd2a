"""Experience: survivors buy cards that lay in front of them for their next starting hand."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.editions.options import ExperienceRule
from saloon.core.game.commands import KeepCards
from saloon.core.game.events import CardsKept, GameEvent
from saloon.core.game.reasons import GameReason
from saloon.core.game.seats import money_left, require_phase, seat_of
from saloon.core.game.setup.character_choice import starting_life
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import GameState, Phase, Seat
from saloon.core.rule_set import OptionKey
from saloon.core.terms import Dollars


def experience_of(edition: Edition) -> ExperienceRule | None:
    """Return the rule of experience in use; None if the option is off."""
    return edition.options.experience if OptionKey.EXPERIENCE in edition.chosen else None


def may_keep_cards(seat: Seat, edition: Edition) -> bool:
    """Return whether a seat may keep cards: its player survived the last game and is present."""
    survived = seat.stake is not None and seat.stake.survived
    return experience_of(edition) is not None and survived and not seat.passive


def most_cards(life: int, in_front: int, money: Dollars, rule: ExperienceRule) -> int:
    """Return the most cards that may be kept.

    life: points at the start of the next game. in_front: cards that lay in front of the player.
    Source: Official Score System 2003; reading D33.
    """
    return max(0, min(life, in_front, max(0, money) // rule.dollars))


def keep_cards(state: GameState, command: KeepCards, edition: Edition) -> tuple[GameEvent, ...]:
    """Keep a number of cards; may be changed until the game begins. Raises Refused.

    Source: Official Score System 2003; reading D33.
    """
    rule = experience_of(edition)
    if rule is None:
        raise Refused(GameReason.NO_CARDS_KEPT)
    require_phase(state, Phase.CHARACTERS)
    seat = seat_of(state, command.seat)
    if not may_keep_cards(seat, edition):
        raise Refused(GameReason.DID_NOT_SURVIVE, seat=seat.seat)
    if seat.character is None:
        raise Refused(GameReason.NO_CHARACTER, seat=seat.seat)
    most = starting_life(seat.character, edition, sheriff=seat.seat == SHERIFF_SEAT)
    if not 0 <= command.cards <= most:
        raise Refused(GameReason.TOO_MANY_CARDS, seat=seat.seat, maximum=most)
    money = Dollars(money_left(seat, edition) + seat.cards.dollars)
    if most_cards(most, command.cards, money, rule) < command.cards:
        raise Refused(GameReason.MAY_NOT_SPEND, seat=seat.seat)
    return (CardsKept(seat.seat, command.cards, Dollars(command.cards * rule.dollars)),)
