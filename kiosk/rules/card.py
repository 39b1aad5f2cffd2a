"""The card of a rule: title, sentences, and source.

Sentences of the rules come from ``core.text``, in their brief form. This module adds how to follow a rule at
a terminal, and what everybody knows from the base game.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

import msgspec

from core.characters import Character
from core.editions.edition import Edition, Schedule, Waiver
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.state.game import GameState
from core.game.state.seats import role_counts
from core.rule_set import OptionKey
from core.terms import MatchKind, Role
from core.text import conduct, money, tournament
from core.text.abilities import ability, name_ability
from core.text.rules_text import RulesText, base_game, official_2003
from core.text.sentence import BASE_GAME, Brief, Sentence
from kiosk.i18n import Words, role_name
from kiosk.rules.applicable_rules import Rule, characters_in_play


class RuleCard(msgspec.Struct, frozen=True):
    """A rule in the players' words. ``source`` names document and section."""

    title: str
    sentences: tuple[str, ...]
    source: str


class _Table(msgspec.Struct, frozen=True):
    game: GameState
    rules: Edition
    words: Words
    book: RulesText

    @property
    def gettext(self) -> Callable[[str], str]:
        return self.words.gettext


_Line = str | Sentence
"""A sentence of the rules, or an instruction for the terminal."""


def rule_card(rule: Rule, game: GameState, edition: Edition, words: Words) -> RuleCard:
    """Return the card of a rule, as it applies at this table."""
    table = _Table(game, edition, words, RulesText(edition, words, headings=True))
    lines = tuple(_CARDS[rule][1](table))
    texts = (line.text if isinstance(line, Sentence) else line for line in lines)
    sentences = tuple(line for line in lines if isinstance(line, Sentence))
    return RuleCard(rule_title(rule, words), tuple(map(words.amounts, texts)), _source(sentences, words))


def rule_title(rule: Rule, words: Words) -> str:
    return words.gettext(_CARDS[rule][0])


def ability_of(character: Character, edition: Edition, words: Words) -> str:
    return ability(character, RulesText(edition, words))


def named_ability(character: Character, edition: Edition, words: Words) -> str:
    """Return a character's name and ability."""
    return name_ability(character, RulesText(edition, words))


def special_case(character: Character, edition: Edition, words: Words) -> str:
    """Return the answer to a common question about a character, or an empty string."""
    sentences = conduct.special_cases(RulesText(edition, words)).get(character, ())
    return " ".join(sentence.text for sentence in sentences)


def _source(sentences: Iterable[Sentence], words: Words) -> str:
    sections: dict[str, dict[str, None]] = {}
    readings: dict[str, None] = {}
    for sentence in sentences:
        readings |= dict.fromkeys(sentence.readings)
        for printed in sentence.printed:
            document, _, section = printed.partition(", ")
            sections.setdefault(document, {})[section] = None
    parts = [
        words.gettext("Rules of the base game")
        if document == BASE_GAME
        else ", ".join(filter(None, (document, "; ".join(filter(None, within)))))
        for document, within in sections.items()
    ]
    if readings:
        ours = words.gettext("our reading, {decisions}")
        parts.append(ours.format(decisions=", ".join(sorted(readings))))
    return "; ".join(parts) or words.gettext("how this terminal works")


def _briefly(*parts: Iterable[Sentence]) -> Iterator[Sentence]:
    return (sentence for sentence in chain(*parts) if isinstance(sentence.text, Brief))


def _seats(table: _Table) -> Iterator[_Line]:
    _ = table.gettext
    yield _("Sit as the screen shows. The next seat is the one to your left.")
    yield _("The seat with the star is seat 1: the Sheriff.")
    yield from _briefly(tournament.sheriffs(table.book))
    yield _("If somebody doesn't come, call the judge.")


def _roles(table: _Table) -> Iterator[_Line]:
    _, row = table.gettext, role_counts(len(table.game.seats), table.rules)
    counts = {role: row.count(role) for role in Role}
    yield base_game(table.words.whole(lambda words: _at_a_table(words, len(table.game.seats), counts)))
    yield _("Only the Sheriff's card is face up. Look only at your own; show it when you're eliminated.")
    if table.rules.schedule is Schedule.CHART:
        secrecy = conduct.role_secrecy(table.book)
        yield from table.book.from_publisher((secrecy,), table.book.sections.questions)


def _at_a_table(words: Words, count: int, counts: dict[Role, int]) -> str:
    names = ", ".join(f"{number} × {role_name(words, role)}" for role, number in counts.items() if number)
    return words.gettext("At a table of {count}: {roles}.").format(count=count, roles=names)


def _characters(table: _Table) -> Iterator[_Line]:
    yield from _briefly(tournament.choice_of_characters(table.book))
    yield table.gettext("Your card shows your life points; you start with that many cards in hand.")


def _auction(table: _Table) -> Iterator[_Line]:
    rule = table.rules.auction
    if rule is None:
        return
    if OptionKey.ENLISTMENT in table.rules.chosen:
        yield official_2003(money.kept_characters(table.book))
    yield from _briefly(tournament.auction(table.book, rule))
    yield table.gettext("Each player's money stays secret.")


def _turn(table: _Table) -> Iterator[_Line]:
    _ = table.gettext
    yield base_game(
        _("The Sheriff begins; play then passes to the next player on the left who's still in play.")
    )
    yield base_game(_("First draw! for Dynamite, then for Jail."))
    yield base_game(_("Then draw two cards, play as many as you like, but only one BANG!, and discard."))
    yield base_game(_("You may keep as many cards as you have life points."))
    yield from _chosen(table, OptionKey.RUTHLESS_LAW)
    yield _("Tap End turn on the screen to start the next player's turn.")


def _chosen(table: _Table, key: OptionKey) -> Iterator[Sentence]:
    return _briefly(money.option(table.book, key)) if key in table.rules.chosen else iter(())


def _reshuffle(table: _Table) -> Iterator[_Line]:
    _ = table.gettext
    yield _("Reshuffle when the deck is empty and you need a card, even for a draw! Then tap Reshuffle.")
    yield from _announcement(table)
    yield _("Forgot a reshuffle, or tapped too often? Undo at once; later, call the judge.")


def _announcement(table: _Table) -> Iterator[Sentence]:
    threshold = reshuffles_to_high_noon(len(table.game.seats), table.rules)
    if threshold is not None:
        text = table.gettext(
            "Reshuffle number {count} announces High Noon at this table; the screen keeps count."
        )
        yield table.book.from_document(text.format(count=threshold), table.book.sections.high_noon)


def _high_noon(table: _Table) -> Iterator[_Line]:
    _, book, rule = table.gettext, table.book, table.rules.high_noon
    announced = tuple(_announcement(table))
    if rule is None or not announced:
        yield _(
            "Reshuffles don't start High Noon here. At the time limit, the judge may start it from the "
            "next turn."
        )
    else:
        yield from announced
        yield from _briefly(tournament.beginning_of_high_noon(book, rule))
    yield from _briefly(tournament.effects_of_high_noon(book))
    yield _("These eliminations bring no rewards or penalties.")


def _last_life(table: _Table) -> Iterator[_Line]:
    _, book = table.gettext, table.book
    yield base_game(
        _("With no life points left you're out, unless you play enough Beers at once to get back to 1.")
    )
    yield from conduct.last_life(book)
    yield _("Only your own cards can save you; a Missed! comes before the loss, not after it.")
    if Character.SID_KETCHUM in table.rules.characters.deck:
        yield from conduct.special_cases(book)[Character.SID_KETCHUM]
        yield from book.reading("sid_with_two_left")


def _elimination(table: _Table) -> Iterator[_Line]:
    _, book = table.gettext, table.book
    yield base_game(
        _(
            "Eliminated players show their role card and discard all cards; Vulture Sam takes "
            "them if he's in play."
        )
    )
    if OptionKey.CASH_REWARDS not in table.rules.chosen:
        yield base_game(_("If you eliminate an Outlaw, you draw three cards, whatever your role."))
    yield from _chosen(table, OptionKey.CASH_REWARDS)
    yield base_game(_("A Sheriff who eliminates a Deputy discards all cards, in hand and in play."))
    if table.rules.penalty:
        yield money.penalty(book)
    yield base_game(
        _("Eliminations by Dynamite, High Noon or the player's own Duel bring no reward or penalty.")
    )
    finish = _("Finish everything one card does before moving on to anything else.")
    yield from book.from_publisher((finish,), book.sections.questions)


def _abilities(table: _Table) -> Iterator[Sentence]:
    return (base_game(name_ability(character, table.book)) for character in characters_in_play(table.game))


def _special_cases(table: _Table) -> Iterator[Sentence]:
    playing = {seat.character for seat in table.game.seats} - {None}
    for character, sentences in conduct.special_cases(table.book).items():
        if character in playing or not playing:
            yield from sentences


def _leaving(table: _Table) -> Iterator[Sentence]:
    if table.game.match is MatchKind.GAME:
        return _briefly(conduct.passive_characters(table.book))
    return conduct.leaving_in_finals(table.book)


def _time_limit(table: _Table) -> Iterator[_Line]:
    _ = table.gettext
    if Waiver.TIME_LIMIT not in table.rules.waivers:
        yield _("The rules set no limit; the judge may still end a game.")
    yield from _briefly(tournament.waivers(table.book), tournament.at_the_time_limit(table.book))
    yield _("Play on until the judge comes.")


def _ending(table: _Table) -> Iterator[Sentence]:
    yield from tournament.endings(table.book)
    if role_counts(len(table.game.seats), table.rules).renegade > 1:
        yield base_game(money.two_renegades(table.book))


def _record_sheet(table: _Table) -> Iterator[_Line]:
    _, book = table.gettext, table.book
    yield _("Don't put any cards away until the judge has seen the roles.")
    yield _(
        "Check your line: your role, whether you're in or out, and your winnings. The story "
        "shows how it came about."
    )
    yield _("The judge confirms the sheet; after that, the table can no longer change it.")
    if book.is_championship:
        yield book.from_document(money.secret_totals(book), book.sections.score)


def _long_duel(table: _Table) -> Iterator[Sentence]:
    return _briefly(conduct.long_duel(table.book), conduct.sid_ketchum_in_duels(table.book))


def _(text: str) -> str:
    return text


_CARDS: Final[Mapping[Rule, tuple[str, Callable[[_Table], Iterator[_Line]]]]] = {
    Rule.SEATS: (_("Seats"), _seats),
    Rule.ROLES: (_("Roles"), _roles),
    Rule.CHARACTERS: (_("Characters"), _characters),
    Rule.AUCTION: (_("Auction"), _auction),
    Rule.KEPT_CARDS: (_("Kept cards"), lambda table: _chosen(table, OptionKey.EXPERIENCE)),
    Rule.TURN: (_("The turn"), _turn),
    Rule.ABILITIES: (_("Abilities"), _abilities),
    Rule.RESHUFFLE: (_("Reshuffle"), _reshuffle),
    Rule.HIGH_NOON: (_("High Noon"), _high_noon),
    Rule.LAST_LIFE: (_("The last life point"), _last_life),
    Rule.ELIMINATION: (_("Elimination"), _elimination),
    Rule.SPECIAL_CASES: (_("Special cases"), _special_cases),
    Rule.REBEL: (_("Rebel!"), lambda table: _briefly(money.rebel(table.book))),
    Rule.LEAVING: (_("Leaving"), _leaving),
    Rule.WARNINGS: (_("Warnings"), lambda table: _briefly(conduct.conduct(table.book))),
    Rule.TIME_LIMIT: (_("Time limit"), _time_limit),
    Rule.ENDING: (_("End of the game"), _ending),
    Rule.RECORD_SHEET: (_("Record sheet"), _record_sheet),
    Rule.TIES: (_("Ties"), lambda table: money.tie_breaks(table.book)),
    Rule.LONG_DUEL: (_("Long duel"), _long_duel),
    Rule.SHORT_DUEL: (_("Short duel"), lambda table: _briefly(conduct.short_duel(table.book))),
}
