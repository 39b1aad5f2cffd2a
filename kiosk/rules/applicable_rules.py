"""The rules that apply at a table."""

import enum

from core.editions.edition import Edition, Schedule
from core.game.state.game import GameState
from core.game.state.seats import role_counts
from core.rule_set import OptionKey
from core.terms import MatchKind


class Rule(enum.Enum):
    """A rule with a card of its own; the value is used in target names."""

    SEATS = "seats"
    ROLES = "roles"
    CHARACTERS = "characters"
    AUCTION = "auction"
    KEPT_CARDS = "kept-cards"
    TURN = "turn"
    RESHUFFLE = "reshuffle"
    HIGH_NOON = "high-noon"
    LAST_LIFE = "last-life"
    ELIMINATION = "elimination"
    SPECIAL_CASES = "special-cases"
    REBEL = "rebel"
    LEAVING = "leaving"
    WARNINGS = "warnings"
    TIME_LIMIT = "time-limit"
    ENDING = "ending"
    RECORD_SHEET = "record-sheet"
    TIES = "ties"
    LONG_DUEL = "long-duel"
    SHORT_DUEL = "short-duel"


_OF_A_DUEL = (Rule.LEAVING, Rule.WARNINGS, Rule.RECORD_SHEET)


def rules_at(game: GameState, edition: Edition) -> tuple[Rule, ...]:
    """Return the rules that can apply at a table, in the order of a game."""
    match game.match:
        case MatchKind.LONG_DUEL:
            return (Rule.LONG_DUEL, *_OF_A_DUEL)
        case MatchKind.SHORT_DUEL:
            return (Rule.SHORT_DUEL, *_OF_A_DUEL)
        case MatchKind.GAME:
            pass
    plays = {
        Rule.AUCTION: edition.auction is not None,
        Rule.KEPT_CARDS: OptionKey.EXPERIENCE in edition.chosen,
        Rule.REBEL: role_counts(len(game.seats), edition).rebel > 0,
        Rule.WARNINGS: edition.schedule is Schedule.CHART,
        Rule.LONG_DUEL: False,
        Rule.SHORT_DUEL: False,
    }
    return tuple(rule for rule in Rule if plays.get(rule, True))
