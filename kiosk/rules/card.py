"""The card of a rule: a title, sentences, and where it is written."""

from collections.abc import Callable, Mapping
from typing import Final, assert_never

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.game.state import GameState
from saloon.kiosk.i18n import Words
from saloon.kiosk.rules import at_the_end, before_play, in_play
from saloon.kiosk.rules.sources import source_of
from saloon.kiosk.rules.which import Rule

Sentences = Callable[[GameState, Edition, Words], tuple[str, ...]]


class RuleCard(msgspec.Struct, frozen=True):
    """A rule in the players' words. sentences: each whole in one language. source: document and section."""

    title: str
    sentences: tuple[str, ...]
    source: str


def rule_card(rule: Rule, game: GameState, edition: Edition, words: Words) -> RuleCard:
    """Return the card of a rule as it is played at this table."""
    sentences = _SENTENCES[rule](game, edition, words)
    return RuleCard(rule_title(rule, words), sentences, source_of(rule, edition, words))


_SENTENCES: Final[Mapping[Rule, Sentences]] = {
    Rule.SEATS: before_play.seats,
    Rule.ROLES: before_play.roles,
    Rule.CHARACTERS: before_play.characters,
    Rule.AUCTION: before_play.auction,
    Rule.KEPT_CARDS: before_play.explain_kept_cards,
    Rule.TURN: in_play.turn,
    Rule.RESHUFFLE: in_play.reshuffle,
    Rule.HIGH_NOON: in_play.high_noon,
    Rule.LAST_LIFE: in_play.last_life,
    Rule.ELIMINATION: in_play.elimination,
    Rule.SPECIAL_CASES: in_play.special_cases,
    Rule.REBEL: in_play.rebel,
    Rule.LEAVING: at_the_end.leaving,
    Rule.WARNINGS: at_the_end.warnings,
    Rule.TIME_LIMIT: at_the_end.time_limit,
    Rule.ENDING: at_the_end.ending,
    Rule.RECORD_SHEET: at_the_end.record_sheet,
    Rule.TIES: at_the_end.ties,
    Rule.LONG_DUEL: at_the_end.long_duel,
    Rule.SHORT_DUEL: at_the_end.short_duel,
}


def rule_title(rule: Rule, words: Words) -> str:  # noqa: C901 (one arm for each)
    """Return the title of a rule."""
    _ = words.gettext
    match rule:
        case Rule.SEATS:
            return _("Seats")
        case Rule.ROLES:
            return _("Roles")
        case Rule.CHARACTERS:
            return _("Characters")
        case Rule.AUCTION:
            return _("Auction")
        case Rule.KEPT_CARDS:
            return _("Kept cards")
        case Rule.TURN:
            return _("The turn")
        case Rule.RESHUFFLE:
            return _("Reshuffle")
        case Rule.HIGH_NOON:
            return _("High Noon")
        case Rule.LAST_LIFE:
            return _("The last life point")
        case Rule.ELIMINATION:
            return _("Elimination")
        case Rule.SPECIAL_CASES:
            return _("Special cases")
        case Rule.REBEL:
            return _("Rebel!")
        case Rule.LEAVING:
            return _("Leaving")
        case Rule.WARNINGS:
            return _("Warnings")
        case Rule.TIME_LIMIT:
            return _("Time limit")
        case Rule.ENDING:
            return _("End of the game")
        case Rule.RECORD_SHEET:
            return _("Record sheet")
        case Rule.TIES:
            return _("Ties")
        case Rule.LONG_DUEL:
            return _("Long duel")
        case Rule.SHORT_DUEL:
            return _("Short duel")
        case _:
            assert_never(rule)
