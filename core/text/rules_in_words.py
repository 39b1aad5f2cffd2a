"""An edition as texts and tables, chapter by chapter, for ``show`` and for a page."""

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from core.characters import MOST_LIFE_POINTS, life_points
from core.editions.edition import Edition
from core.editions.tables import AboveChart
from core.editions.winnings_table import WinningsCase, WinningsRow
from core.game.state.seats import roles_left
from core.rule_set import OptionKey
from core.terms import Ending, Role, Words
from core.text import conduct, money, tournament
from core.text.abilities import abilities
from core.text.money import TERM_WORDS
from core.text.open_questions import ReadingOption, all_questions
from core.text.rules_text import RulesText
from core.text.sentence import BASE_GAME, Chapter, English, Sentence, dollars

Writer = Callable[[RulesText], Iterator[Sentence]]


def text_chapters(rules: Edition, words: Words) -> tuple[Chapter, ...]:
    """Return all chapters of an edition, in the order of an event."""
    _ = words.gettext
    book = RulesText(rules, words)
    duels: tuple[tuple[str, str, Writer], ...] = (
        ("long-duel", _("The long duel"), conduct.long_duel),
        ("short-duel", _("The short duel"), conduct.short_duel),
    )
    parts: tuple[tuple[str, str, Writer], ...] = (
        ("tournament", _("The tournament"), tournament.tournament),
        ("roles", _("Roles"), tournament.roles),
        ("characters", _("Characters"), tournament.characters),
        ("abilities", _("Abilities"), abilities),
        ("high-noon", _("High Noon"), tournament.high_noon),
        ("winnings", _("Winnings"), money.winnings),
        ("ranking", _("Score and ranking"), money.ranking),
        ("finals", _("Finals"), money.finals),
        *(duels if rules.finals else ()),
        ("options", _("Options"), money.options),
        ("rebel", _("The Rebel!"), money.rebel),
        ("leaving", _("Leaving the tournament"), conduct.leaving),
        ("conduct", _("Conduct, judge and penalties"), conduct.conduct),
        ("questions", _("Questions and special cases"), conduct.questions),
    )
    all_chapters = (Chapter(key, title, tuple(write(book))) for key, title, write in parts)
    return tuple(chapter for chapter in all_chapters if chapter.sentences)


class TextTable(msgspec.Struct, frozen=True):
    """A table of texts. words: the number of leading text columns; the others contain numbers."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


class TextChapter(msgspec.Struct, frozen=True):
    """A part of the rules. lines: one or two sentences each."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[TextTable, ...] = ()


def chapters(rules: Edition) -> tuple[TextChapter, ...]:
    """Return a whole edition with its chosen options; each line ends with its source.

    A source is a section of the edition's document, another document, or a decision of ours such as D16.
    """
    tables = {
        "tournament": tuple(_charts(rules)),
        "roles": tuple(_roles(rules)),
        "winnings": tuple(_winnings(rules)),
        "finals": tuple(_prizes(rules)),
        "rebel": tuple(_rebel_winnings(rules)),
    }
    words = English()
    sections = tuple(
        TextChapter(
            chapter.title,
            (
                *(f"{sentence.text} ({_cite(sentence)})" for sentence in chapter.sentences),
                *(_life_points(rules) if chapter.key == "abilities" else ()),
            ),
            tables.get(chapter.key, ()),
        )
        for chapter in text_chapters(rules, words)
    )
    left_open = "What the document leaves open"
    return (*sections, TextChapter(left_open, tuple(_open_lines(rules)), (_questions(rules),)))


def _cite(sentence: Sentence) -> str:
    own = (part.rpartition(", ")[2] if part.startswith("Championship") else part for part in sentence.printed)
    return "; ".join((*own, *sentence.readings))


def _life_points(rules: Edition) -> tuple[str, ...]:
    lives = ((character.value, life_points(character)) for character in rules.characters.deck)
    fewer = ", ".join(f"{name} {life}" for name, life in lives if life != MOST_LIFE_POINTS)
    return (f"Life points: {fewer}, the others {MOST_LIFE_POINTS}. ({BASE_GAME})",)


def _charts(rules: Edition) -> Iterator[TextTable]:
    if not rules.tables.chart:
        return
    above = _above(rules)
    rows = [(str(row.players), _seatings(row.tables)) for row in rules.tables.chart]
    yield TextTable("Table chart", ("players", "tables"), (*rows, ("more", above)), words=2)


def _seatings(sizes: Sequence[int]) -> str:
    return " ".join(f"{sizes.count(size)}×{size}" for size in dict.fromkeys(sizes))


def _above(rules: Edition) -> str:
    match rules.tables.above_chart:
        case AboveChart.FIVES_FIRST:
            small, large = rules.printed_sizes[0], rules.printed_sizes[0] + 1
            return f"as many tables of {small} as possible; the others seat {large} (our reading, D02)"
        case AboveChart.FEWEST_TABLES:
            largest = rules.printed_sizes[-1]
            return f"as few tables as possible, of at most {largest}, as equal as possible (our reading, D02)"


def _roles(rules: Edition) -> Iterator[TextTable]:
    rebel = rules.options.rebel
    rows_here = tuple(row for row in rules.role_rows if row.players in rules.sizes)
    title = "Roles by table size"
    if rules.role_rows == rules.roles and any(size > _BASE_GAME_PLAYERS for size in rules.sizes):
        title = "Roles by table size (base game; 8 players: Dodge City)"
    tables = [(title, rows_here)]
    if rebel is not None and rules.role_rows == rules.roles:
        tables.append(("With the Rebel!, where that is switched on", rebel.roles))
    for title, rows in tables:
        roles = [role for role in Role if any(row.count(role) for row in rows)]
        yield TextTable(
            title,
            ("players", *(role_word(role) for role in roles)),
            tuple((str(row.players), *(str(row.count(role)) for role in roles)) for row in rows),
        )


_BASE_GAME_PLAYERS = 7


def role_word(role: Role) -> str:
    return "Rebel!" if role is Role.REBEL else role.value.capitalize()


def _winnings(rules: Edition, only: tuple[int, ...] = ()) -> Iterator[TextTable]:
    formulas = any(not row.dollars for row in rules.winnings)
    sizes = only or (rules.sizes if formulas else rules.tables.sizes)
    headings = ("role", "when", *(("dollars",) if formulas else ()), *(f"{size} players" for size in sizes))
    for ending in Ending:
        here = tuple(row for row in rules.winnings if row.ending is ending)
        rows = tuple(
            (
                role_word(row.role),
                _when(row),
                *((_formula(row, rules),) if formulas else ()),
                *(_amount(row, size, rules) for size in sizes),
            )
            for row in here
            if row.pays
        )
        if len(rows) < len(here):
            others = "others" if rows else "everyone"
            rows = (*rows, (others, "", *(("nothing",) if formulas else ()), *("0" for _ in sizes)))
        title = ending.value.replace("_", " ").capitalize()
        yield TextTable(title, headings, rows, words=3 if formulas else 2)


_ALWAYS_ALIVE = {(Ending.LAW_WINS, Role.SHERIFF), (Ending.RENEGADE_WINS, Role.RENEGADE)}


def _when(row: WinningsRow) -> str:
    match row.case:
        case WinningsCase.ALWAYS if (row.ending, row.role) in _ALWAYS_ALIVE:
            return "alive at the end"
        case WinningsCase.ALWAYS if row.ending is Ending.RENEGADE_WINS:
            return "eliminated"
        case WinningsCase.ALWAYS:
            return "alive or not"
        case WinningsCase.ALIVE:
            return "alive at the end"
        case WinningsCase.ELIMINATED:
            return "eliminated"
        case WinningsCase.LOST_FINAL_DUEL:
            return "lost the final duel (see above)"
        case WinningsCase.NO_FINAL_DUEL:
            return "no final duel"


def _formula(row: WinningsRow, rules: Edition) -> str:
    terms = []
    for counted, each in row.terms(rules.readings):
        words, pays = TERM_WORDS[counted], dollars(each)
        terms.append(f"{pays} {words.letter}" if words.letter else words.paid.format(money=pays))
    return " + ".join(terms) or ("by size" if any(row.dollars) else "nothing")


def _rebel_winnings(rules: Edition) -> Iterator[TextTable]:
    if rules.options.rebel is None or OptionKey.REBEL in rules.chosen:
        return
    sizes = tuple(row.players for row in rules.options.rebel.roles)
    for table in _winnings(replace(rules, chosen=(*rules.chosen, OptionKey.REBEL)), sizes):
        yield TextTable(f"With a Rebel!: {table.title}", table.headings, table.rows, table.words)


def _amount(row: WinningsRow, size: int, rules: Edition) -> str:
    if row.dollars:
        return f"{row.dollars[rules.tables.sizes.index(size)]:,}"
    dealt = next(roles for roles in rules.role_rows if roles.players == size)
    if dealt.count(row.role) == 0:
        return "-"
    start, fixed, at_end = roles_left(dealt, ()), 0, ""
    for counted, each in row.terms(rules.readings):
        if letter := TERM_WORDS[counted].letter:
            at_end += f" + {each:,} {letter}"
        else:
            fixed += each * counted.count(start, {})
    return f"{fixed:,}{at_end}"


def _prizes(rules: Edition) -> Iterator[TextTable]:
    if rules.finals is None:
        return
    rows = tuple(
        (f"after {row.rounds} rounds", *(f"{dollars:,}" for dollars in row.dollars))
        for row in rules.finals.prizes
    )
    yield TextTable("Prizes", ("", "1st", "2nd", "3rd", "4th"), rows)


def _open_lines(rules: Edition) -> Iterator[str]:
    yield "Each question is answered by a key of the file; the judge may choose otherwise when opening."
    if rules.offered:
        yield "Options that can be switched on: " + ", ".join(option.value for option in rules.offered) + "."
    if rules.chosen:
        yield "Options that are on: " + ", ".join(option.value for option in rules.chosen) + "."


def _questions(rules: Edition) -> TextTable:
    return TextTable(
        "Open questions",
        ("decision", "question", "key", "answer", "other answers"),
        tuple(
            (
                question.decision,
                question.text,
                question.key or "-",
                _answer(question.chosen),
                " ".join(_answer(answer) for answer in question.answers if not answer.is_chosen) or "-",
            )
            for question in all_questions(rules, English())
        ),
        words=5,
    )


def _answer(answer: ReadingOption) -> str:
    return f"{answer.value}: {answer.text}" if answer.value else answer.text
