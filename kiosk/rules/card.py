"""A rule card: title, sentences, and source."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.state.game import GameState
from kiosk.i18n import Words
from kiosk.rules import at_the_end, before_play, in_play
from kiosk.rules.applicable_rules import Rule
from kiosk.rules.sources import source_of

Sentences = Callable[[GameState, Edition, Words], tuple[str, ...]]


class RuleCard(msgspec.Struct, frozen=True):
    """A rule in the players' words.

    sentences: each in a single language. source: document and section.
    """

    title: str
    sentences: tuple[str, ...]
    source: str


def rule_card(rule: Rule, game: GameState, edition: Edition, words: Words) -> RuleCard:
    """Return the card of a rule, as it applies at this table."""
    explain = _CARDS[rule][1]
    return RuleCard(rule_title(rule, words), explain(game, edition, words), source_of(rule, edition, words))


def rule_title(rule: Rule, words: Words) -> str:
    """Return the title of a rule."""
    return words.gettext(_CARDS[rule][0])


def _(text: str) -> str:
    return text


_CARDS: Final[Mapping[Rule, tuple[str, Sentences]]] = {
    Rule.SEATS: (_("Seats"), before_play.seats),
    Rule.ROLES: (_("Roles"), before_play.roles),
    Rule.CHARACTERS: (_("Characters"), before_play.characters),
    Rule.AUCTION: (_("Auction"), before_play.auction),
    Rule.KEPT_CARDS: (_("Kept cards"), before_play.explain_kept_cards),
    Rule.TURN: (_("The turn"), in_play.turn),
    Rule.RESHUFFLE: (_("Reshuffle"), in_play.reshuffle),
    Rule.HIGH_NOON: (_("High Noon"), in_play.high_noon),
    Rule.LAST_LIFE: (_("The last life point"), in_play.last_life),
    Rule.ELIMINATION: (_("Elimination"), in_play.elimination),
    Rule.SPECIAL_CASES: (_("Special cases"), in_play.special_cases),
    Rule.REBEL: (_("Rebel!"), in_play.rebel),
    Rule.LEAVING: (_("Leaving"), at_the_end.leaving),
    Rule.WARNINGS: (_("Warnings"), at_the_end.warnings),
    Rule.TIME_LIMIT: (_("Time limit"), at_the_end.time_limit),
    Rule.ENDING: (_("End of the game"), at_the_end.ending),
    Rule.RECORD_SHEET: (_("Record sheet"), at_the_end.record_sheet),
    Rule.TIES: (_("Ties"), at_the_end.ties),
    Rule.LONG_DUEL: (_("Long duel"), at_the_end.long_duel),
    Rule.SHORT_DUEL: (_("Short duel"), at_the_end.short_duel),
}
