"""All chapters of an edition's rules."""

from collections.abc import Callable, Iterator

from saloon.core.editions.edition import Edition
from saloon.core.text import conduct, money, tournament
from saloon.core.text.sentence import Book, Chapter, Sentence
from saloon.core.words import Words

Writer = Callable[[Book], Iterator[Sentence]]


def text_chapters(rules: Edition, words: Words) -> tuple[Chapter, ...]:
    """Return every chapter that the edition has, in the order of an event."""
    _ = words.gettext
    book = Book(rules, words)
    parts: tuple[tuple[str, str, Writer], ...] = (
        ("tournament", _("The tournament"), tournament.tournament),
        ("roles", _("Roles"), tournament.roles),
        ("characters", _("Characters"), tournament.characters),
        ("high-noon", _("High Noon"), tournament.high_noon),
        ("winnings", _("Winnings"), money.winnings),
        ("ranking", _("Score and ranking"), money.ranking),
        ("finals", _("Finals"), money.finals),
        ("long-duel", _("The long duel"), conduct.long_duel),
        ("short-duel", _("The short duel"), conduct.short_duel),
        ("options", _("Options"), money.options),
        ("rebel", _("The Rebel!"), money.rebel),
        ("leaving", _("Leaving the tournament"), conduct.leaving),
        ("conduct", _("Conduct, judge and penalties"), conduct.conduct),
        ("questions", _("Questions and special cases"), conduct.questions),
    )
    found = (Chapter(key, title, tuple(write(book))) for key, title, write in parts)
    return tuple(chapter for chapter in found if chapter.sentences)
