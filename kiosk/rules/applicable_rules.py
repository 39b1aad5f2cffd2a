"""The rules that apply at a table."""

import enum

from core.characters import Character
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
    ABILITIES = "abilities"
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


def characters_in_play(game: GameState) -> tuple[Character, ...]:
    """Return the characters whose abilities can be used, by seat, with a duel's rear ones."""
    if game.duel is not None:
        return tuple(fighter.character for side in game.duel.sides for fighter in side.in_play)
    playing = (seat for seat in game.seats if seat.in_play and not seat.passive)
    return tuple(seat.character for seat in playing if seat.character is not None)


def rules_at(game: GameState, edition: Edition) -> tuple[Rule, ...]:
    """Return the rules that can apply at a table, in the order of a game."""
    if game.match is not MatchKind.GAME:
        kind = Rule.LONG_DUEL if game.match is MatchKind.LONG_DUEL else Rule.SHORT_DUEL
        return (
            kind,
            *(rule for rule in _OF_A_DUEL if rule is not Rule.ABILITIES or characters_in_play(game)),
        )
    plays = {
        Rule.ABILITIES: bool(characters_in_play(game)),
        Rule.AUCTION: edition.auction is not None,
        Rule.KEPT_CARDS: OptionKey.EXPERIENCE in edition.chosen,
        Rule.REBEL: role_counts(len(game.seats), edition).rebel > 0,
        Rule.WARNINGS: edition.schedule is Schedule.CHART,
        Rule.LONG_DUEL: False,
        Rule.SHORT_DUEL: False,
    }
    return tuple(rule for rule in Rule if plays.get(rule, True))
