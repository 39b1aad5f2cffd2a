"""``saloon-rules check``: validate house rules, and compare worked cases with the rules."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from base.console import plain_console, table_console
from base.errors import BadData, Refused
from core.cli.cases.case import VectorFile, vector_file
from core.cli.cases.verdicts import CaseVerdict, verdicts
from core.cli.files import file_text, is_rules_file, rules_named
from core.editions.edition import Edition, Schedule, TieBreak
from core.editions.loader import editions, read_house_rules
from core.editions.part import FaultyRules
from core.terms import Ending, Role
from core.text.sentence import English, list_numbers
from core.tournament.draw.rounds import table_sizes

MOST_PLAYERS = 200
"""The largest number of players for which tables are tried."""

_WINNERS: Mapping[Ending, frozenset[Role]] = {
    Ending.LAW_WINS: frozenset({Role.SHERIFF, Role.DEPUTY}),
    Ending.OUTLAWS_WIN: frozenset({Role.OUTLAW}),
    Ending.RENEGADE_WINS: frozenset({Role.RENEGADE}),
    Ending.NO_WINNER: frozenset(),
}


def doubts(rules: Edition) -> Iterator[str]:
    """Yield warnings about rules that are valid but probably not intended."""
    yield from _find_unseatable_numbers(rules)
    yield from _winnings(rules)
    auction = rules.characters.auction
    if auction is not None and rules.start_money < auction.minimum:
        yield (
            f"start_money is {rules.start_money}: nobody can bid in the first round, where bids begin at "
            f"{auction.minimum}"
        )
    useless = {TieBreak.MAROGI, TieBreak.BUCHHOLZ} & {*rules.tie_breaks}
    if rules.schedule is Schedule.ONE_GROUP and useless:
        yield "tie_breaks: in one group everybody meets the same opponents, so these scores decide little"


def _find_unseatable_numbers(rules: Edition) -> Iterator[str]:
    if rules.schedule is not Schedule.CHART:
        return
    numbers = range(rules.tables.min_players, MOST_PLAYERS + 1)
    unseated = [players for players in numbers if not _seats(players, rules)]
    if unseated:
        yield (
            f"tables: {len(unseated)} numbers of players up to {MOST_PLAYERS} fit no tables, "
            f"{unseated[0]} is the first"
        )


def _seats(players: int, rules: Edition) -> bool:
    try:
        return bool(table_sizes(players, rules))
    except Refused:
        return False


def _winnings(rules: Edition) -> Iterator[str]:
    for ending, winners in _WINNERS.items():
        paid = {row.role for row in rules.winnings if row.ending is ending and row.pays}
        if winners and not paid & winners:
            yield f"winnings: {ending.value} pays its winners nothing"
        if not winners and paid:
            yield f"winnings: {ending.value} pays somebody although nobody wins"


_MANY_FILES = 8
"""The number of files from which a progress bar is shown."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--edition",
    "named",
    help="Judge all cases by this edition, or file of house rules; +option switches one on.",
)
def check(files: tuple[Path, ...], named: str | None) -> None:
    """Validate house rules (.toml), and compare worked cases (vectors) with the rules.

    Prints every fault of house rules with its line and key, and every field of a case that differs.
    The exit status is 0 without faults or differences, 1 with some, 2 if a case or file cannot be
    read; the other cases and files are still checked. Cases of editions that don't exist yet
    are listed and count as neither.
    """
    console = table_console()
    by = None if named is None else rules_named(named)
    faulty = sum([not _is_right(console, path) for path in files if is_rules_file(path)])
    with_progress = track(
        files,
        description="reading",
        console=plain_console(stderr=True),
        transient=True,
        disable=len(files) < _MANY_FILES,
    )
    tallies = [_judge(console, path, by) for path in with_progress if not is_rules_file(path)]
    cases, differing, unreadable = (sum(tally[part] for tally in tallies) for part in range(3))
    if differing:
        console.print(f"{differing} of {cases} cases differ", style="bold red")
    if unreadable:
        console.print(f"{unreadable} of {cases} cases cannot be read", style="bold red")
        sys.exit(2)
    if differing or faulty:
        sys.exit(1)


def _judge(console: Console, path: Path, by: Edition | None) -> tuple[int, int, int]:
    try:
        file = vector_file(path)
    except BadData as error:
        errors = plain_console(stderr=True)
        errors.print(str(error), style="red", soft_wrap=True)
        return (1, 0, 1)
    return _print_verdicts(console, file, verdicts(file, editions(), by))


def _is_right(console: Console, path: Path) -> bool:
    text = file_text(path)
    try:
        rules = read_house_rules(text, str(path))
    except BadData as error:
        faults = error.faults if isinstance(error, FaultyRules) else (error,)
        for fault in faults:
            console.print(str(fault), style="bold red", soft_wrap=True)
        if isinstance(error, FaultyRules) and error.more:
            console.print(f"and {error.more} more", style="bold red")
        return False
    offered = ", ".join(option.value for option in rules.offered) or "none"
    sizes = list_numbers(rules.sizes, English())
    summary = f"{path}: {rules.key}, {rules.title}: no fault; tables of {sizes}; options: {offered}"
    console.print(summary, soft_wrap=True)
    for doubt in doubts(rules):
        console.print(f"  look again: {doubt}", style="yellow", soft_wrap=True)
    return True


def _print_verdicts(
    console: Console, file: VectorFile, judged: tuple[CaseVerdict, ...]
) -> tuple[int, int, int]:
    passed = sum(verdict.passed for verdict in judged)
    differing = [verdict for verdict in judged if verdict.differences]
    unreadable = [f"{file.path}, {case.vector}: {case.unreadable}" for case in judged if case.unreadable]
    unreadable += [str(error) for error in file.unreadable]
    summary = f"{file.path}: {passed} agree, {len(differing)} differ"
    if unreadable:
        summary += f", {len(unreadable)} cannot be read"
    console.print(summary, soft_wrap=True)
    for case in differing:
        console.print(f"  {case.vector}", style="bold red")
        for difference in case.differences:
            console.print(
                f"    {difference.path}: expected {difference.expected}, found {difference.actual}",
                soft_wrap=True,
            )
    for reason in unreadable:
        console.print(f"  cannot be read: {reason}", style="bold red", soft_wrap=True)
    for reason, count in sorted(Counter(v.not_there for v in judged if v.not_there).items()):
        console.print(f"  {reason} ({count})", style="yellow")
    return (len(judged) + len(file.unreadable), len(differing), len(unreadable))
