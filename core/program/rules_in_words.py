"""An edition in words and tables, chapter by chapter; ``show`` prints them, a page holds them."""

from collections.abc import Iterator
from typing import assert_never

import msgspec

from saloon.core.editions.edition import CharacterMethod, Edition, HighNoonStarter, Schedule, Scoring
from saloon.core.editions.tables import AboveChart
from saloon.core.editions.winnings_table import WinningsCase, WinningsRow
from saloon.core.game.characters import life_points
from saloon.core.game.events import Ending
from saloon.core.game.roles import Role
from saloon.core.game.winnings import counts_players
from saloon.core.program.answer_words import answer_words
from saloon.core.program.auction_words import auction_lines, money
from saloon.core.program.open_questions import open_questions
from saloon.core.program.option_words import option_lines


class PlainTable(msgspec.Struct, frozen=True):
    """A table of texts. words: so many first columns are words, the others numbers."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


class Chapter(msgspec.Struct, frozen=True):
    """A part of the rules. lines: a sentence or two each."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[PlainTable, ...] = ()


def chapters(rules: Edition) -> tuple[Chapter, ...]:
    """The whole edition, with the options that are switched on."""
    found = (
        Chapter("The tournament", tuple(_tournament(rules)), tuple(_charts(rules))),
        Chapter("Roles", (), tuple(_roles(rules))),
        Chapter("Characters", tuple(_characters(rules))),
        Chapter("High Noon", tuple(_high_noon(rules))),
        Chapter("Winnings", tuple(_winnings_lines(rules)), tuple(_winnings(rules))),
        Chapter("Score and ranking", tuple(_ranking(rules))),
        Chapter("Finals", tuple(_finals(rules)), tuple(_prizes(rules))),
        Chapter("Options", tuple(option_lines(rules))),
        Chapter("What the document leaves open", tuple(_open_lines(rules)), (_questions(rules),)),
    )
    return tuple(chapter for chapter in found if chapter.lines or chapter.tables)


def listed(numbers: tuple[int, ...]) -> str:
    """Numbers as "5, 6 or 7"."""
    *head, last = (str(number) for number in numbers)
    return f"{', '.join(head)} or {last}" if head else last


def spanned(first: int, last: int | None) -> str:
    """A range as "5 to 6", "7" or "7 or more"."""
    if last is None:
        return f"{first} or more"
    return str(first) if first == last else f"{first} to {last}"


def _tournament(rules: Edition) -> Iterator[str]:
    match rules.schedule:
        case Schedule.CHART:
            for row in rules.rounds:
                yield f"{spanned(row.players_from, row.players_to)} players play {row.rounds} rounds."
            yield f"Tables seat {listed(rules.sizes)}; everybody is drawn anew in each round."
            yield f"Fewer than {rules.tables.min_players} players are too few."
        case Schedule.ONE_GROUP:
            yield "All play at one table: as many games as players, or a multiple of it."
            yield f"The table seats {listed(rules.sizes)}."
            yield "Everybody is Sheriff equally often; the other roles are dealt by chance."
        case _:
            assert_never(rules.schedule)
    if rules.tables.sheriff_once:
        yield "Nobody is Sheriff twice while others were never."
    waivers = ", ".join(waiver.value.replace("_", " ") for waiver in rules.waivers)
    if waivers:
        yield f"To save time the judge may choose: {waivers}."


def _charts(rules: Edition) -> Iterator[PlainTable]:
    if not rules.tables.chart:
        return
    above = _above(rules.tables.above_chart)
    rows = [(str(row.players), " ".join(map(str, row.tables))) for row in rules.tables.chart]
    yield PlainTable("Table chart", ("players", "tables"), (*rows, ("more", above)), words=2)


def _above(reading: AboveChart) -> str:
    match reading:
        case AboveChart.FIVES_FIRST:
            return "as many tables as fives fit in; who is left over makes sixes (D02)"


def _roles(rules: Edition) -> Iterator[PlainTable]:
    rebel = rules.options.rebel
    tables = [("Roles by table size", rules.role_rows)]
    if rebel is not None and rules.role_rows == rules.roles:
        tables.append(("With the Rebel!, where that is switched on", rebel.roles))
    for title, rows in tables:
        roles = [role for role in Role if any(row.count(role) for row in rows)]
        yield PlainTable(
            title,
            ("players", *(role_word(role) for role in roles)),
            tuple((str(row.players), *(str(row.count(role)) for role in roles)) for row in rows),
        )


def role_word(role: Role) -> str:
    """A role as the cards write it."""
    return "Rebel!" if role is Role.REBEL else role.value.capitalize()


def _characters(rules: Edition) -> Iterator[str]:
    characters = rules.characters
    if rules.auction is not None:
        yield from auction_lines(rules.auction)
    else:
        yield _handed_out(rules)
    yield f"The Sheriff plays with {characters.sheriff_extra_life} more life point."
    yield "Characters: " + ", ".join(f"{c.value} ({life_points(c)})" for c in characters.deck) + "."


def _handed_out(rules: Edition) -> str:
    characters = rules.characters
    match characters.method:
        case CharacterMethod.DEAL_AND_CHOOSE:
            return (
                f"Each player is dealt {characters.dealt} of {len(characters.deck)} characters, "
                "one at a time from the Sheriff on, and keeps one; all show theirs together."
            )
        case CharacterMethod.AUCTION | CharacterMethod.AT_RANDOM:
            return f"Each player is dealt one of {len(characters.deck)} characters."


def _high_noon(rules: Edition) -> Iterator[str]:
    rule = rules.high_noon
    if rule is None:
        yield "There is no High Noon."
        return
    for row in rule.thresholds:
        yield (
            f"Tables that start with {spanned(row.players_from, row.players_to)}: it waits from "
            f"reshuffle {row.reshuffles} of the discard pile on."
        )
    match rule.starter:
        case HighNoonStarter.SHERIFF:
            yield "It begins with the Sheriff's next turn."
        case HighNoonStarter.AFTER_SHERIFF:
            yield "It begins with the first turn that directly follows a turn of the Sheriff."
    yield "From then on every player loses a life point at the start of the own turn."


def _winnings_lines(rules: Edition) -> Iterator[str]:
    if any(row.per_outlaw or row.per_player for row in rules.winnings):
        yield "Outlaws and players are counted at the start of the game."
    if any(row.per_eliminated for row in rules.winnings):
        yield "E: for each player who is out at the end, and only to those who are alive."
    if rules.penalty:
        yield f"A Deputy who eliminates the Sheriff loses {money(rules.penalty)}."


def _winnings(rules: Edition) -> Iterator[PlainTable]:
    formulas = any(not row.dollars for row in rules.winnings)
    sizes = rules.sizes if formulas else rules.tables.sizes
    headings = ("role", "when", *(("dollars",) if formulas else ()), *(f"{size} players" for size in sizes))
    for ending in Ending:
        rows = tuple(
            (
                role_word(row.role),
                _when(row.case),
                *((_formula(row, rules),) if formulas else ()),
                *(_amount(row, size, rules) for size in sizes),
            )
            for row in rules.winnings
            if row.ending is ending
        )
        title = ending.value.replace("_", " ").capitalize()
        yield PlainTable(title, headings, rows, words=3 if formulas else 2)


def _when(case: WinningsCase) -> str:
    match case:
        case WinningsCase.ALWAYS:
            return "alive or not"
        case WinningsCase.ALIVE:
            return "alive at the end"
        case WinningsCase.ELIMINATED:
            return "eliminated"
        case WinningsCase.LOST_FINAL_DUEL:
            return "lost the final duel"
        case WinningsCase.NO_FINAL_DUEL:
            return "no final duel"


def _formula(row: WinningsRow, rules: Edition) -> str:
    terms = (
        (row.per_outlaw, "for each player" if counts_players(row, rules) else "for each Outlaw"),
        (row.per_player, "for each player"),
        (row.per_eliminated, "E"),
    )
    told = [f"{money(dollars)} {counted}" for dollars, counted in terms if dollars]
    return " + ".join(told) or ("by size" if any(row.dollars) else "nothing")


def _amount(row: WinningsRow, size: int, rules: Edition) -> str:
    if row.dollars:
        return f"{row.dollars[rules.tables.sizes.index(size)]:,}"
    dealt = next(roles for roles in rules.role_rows if roles.players == size)
    if dealt.count(row.role) == 0:
        return "-"
    counted = size if counts_players(row, rules) else dealt.outlaw
    fixed = f"{row.per_outlaw * counted + row.per_player * size:,}"
    return f"{fixed} + {row.per_eliminated:,} E" if row.per_eliminated else fixed


def _ranking(rules: Edition) -> Iterator[str]:
    yield f"Every player begins with {money(rules.money_at_start)}."
    match rules.scoring:
        case Scoring.SUM:
            yield "The score is what a player began with, plus all winnings, less what was spent."
        case Scoring.AVERAGE:
            yield (
                "The score is what a player began with, plus all winnings, less what was spent, divided by "
                "the games played, to the nearest dollar."
            )
    keys = ", then ".join(key.value.replace("_", " ") for key in rules.tie_breaks)
    yield f"Equal scores are ordered by: {keys}."
    bonus = ", ".join(f"{place}. {money(dollars)}" for place, dollars in enumerate(rules.bonus, start=1))
    yield f"Bonus by place: {bonus or 'none'}."


def _finals(rules: Edition) -> Iterator[str]:
    if rules.finals is None:
        return
    modes = " or ".join(mode.value.replace("-", " ") for mode in rules.finals.modes)
    yield f"The four best play duels ({modes}): the 1st against the 4th, the 2nd against the 3rd."
    yield "The winners play for the first place. Places 1 to 4 come from the duels alone."


def _prizes(rules: Edition) -> Iterator[PlainTable]:
    if rules.finals is None:
        return
    rows = tuple(
        (f"after {row.rounds} rounds", *(f"{dollars:,}" for dollars in row.dollars))
        for row in rules.finals.prizes
    )
    yield PlainTable("Prizes", ("", "1st", "2nd", "3rd", "4th"), rows)


def _open_lines(rules: Edition) -> Iterator[str]:
    yield "Each question is answered by a key of the file; the judge may choose otherwise when opening."
    if rules.chosen:
        yield "Options that are on: " + ", ".join(option.value for option in rules.chosen) + "."


def _questions(rules: Edition) -> PlainTable:
    return PlainTable(
        "Open questions",
        ("decision", "question", "key", "read as", "also possible"),
        tuple(
            (
                found.decision,
                found.question,
                found.key,
                answer_words(found.reading, found.value),
                "; ".join(answer_words(found.reading, other) for other in found.others) or "-",
            )
            for found in open_questions(rules)
        ),
        words=5,
    )
