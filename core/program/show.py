"""``saloon-rules show``: a whole edition in words and tables."""

import enum
import typing
from collections.abc import Iterator, Mapping

import click
import msgspec
from rich.table import Table

from saloon.core.editions.edition import CharacterMethod, Edition, Schedule
from saloon.core.editions.loader import edition as edition_of
from saloon.core.editions.readings import Readings
from saloon.core.editions.winnings_table import WinningsRow
from saloon.core.game.characters import life_points
from saloon.core.game.events import Ending
from saloon.core.game.roles import Role
from saloon.core.program.console import printer

READING_WORDS: Mapping[str, tuple[str, str]] = {
    "min_players": ("D01", "fewer players than the chart's first row"),
    "rounds_recomputed_on_withdrawal": ("D04", "withdrawals change the number of rounds"),
    "below_min_mid": ("D05", "fewer players than the chart's first row are left"),
    "sheriff_repeat": ("D06", "too few players are left who were never Sheriff"),
    "simultaneous": ("D07", "several players die by one card"),
    "renegade_final_duel": ("D08", "when the Renegade lost the final duel"),
    "time_limit": ("D09", "the time limit is reached"),
    "high_noon_dead_starter": ("D10", "the player after the Sheriff is out"),
    "high_noon_trigger_in_starter_turn": ("D11", "the reshuffle falls in the starter's own turn"),
    "high_noon_affects_passive": ("D12", "High Noon takes life points of players who left"),
    "high_noon_order": ("D13", "High Noon against the checks for Jail and Dynamite"),
    "high_noon_beer": ("D14", "when a Beer may answer the loss"),
    "high_noon_further_reshuffles": ("D15", "a reshuffle during High Noon"),
    "high_noon_sid_ketchum": ("D17", "Sid Ketchum may save his last point at High Noon"),
    "buchholz_further_tie": ("D20", "players are still tied after Buchholz"),
    "third_place": ("D23", "the places of the two who lost a semifinal"),
    "finalist_replacement": ("D24", "a finalist leaves"),
    "prize_other_rounds": ("D25", "prizes after a number of rounds that the table does not name"),
    "rounding": ("D29", "an average that is not a whole number of dollars"),
    "one_on_one": ("D30", "exactly two are tied after all that is counted"),
    "turns_played": ("D31", "which turns count"),
    "enlistment_in_score": ("D32", "start money that enlistment left counts in the score"),
    "marogi_scores": ("D18", "which scores of the opponents count"),
    "tiebreak_opponents": ("D19", "an opponent met twice"),
    "auction_broke_player": ("D26", "a player without money would be the next to nominate"),
    "auction_take_order": ("D27", "in which order players without money take what is left"),
    "enlistment_insufficient_fee": ("D32", "the player of the last character has less than its fee"),
    "experience_cap": ("D33", "whose life points are the most cards to keep"),
    "simplified_multiplier": ("D34", "what a winning Renegade's amount is counted by"),
    "deputy_penalty_in_simplified": ("D36", "the penalty of a Deputy also with the simplified table"),
    "withdrawn_ranking": ("D21", "where players who left are ranked"),
    "withdrawn_count_for_opponents": ("D21", "players who left count for their opponents"),
    "eliminated_count_as_winners": ("D42", "an eliminated winner has won the match"),
    "short_duel_start": ("D40", "who starts a short duel"),
    "long_duel_excess": ("D40", "wounds too many for a character of a long duel"),
    "rebel_money": ("D37", "whom the tables pay as Sheriff after a Revolution"),
}
"""For each reading its decision and the question that the document leaves open."""


@click.command()
@click.argument("edition")
def show(edition: str) -> None:
    """Show an EDITION whole: rounds, tables, High Noon, winnings, tie-breaks, bonus, readings."""
    rules = edition_of(edition)
    console = printer()
    console.print(rules.title, style="bold", markup=False)
    console.print(rules.source, markup=False)
    for line in _sentences(rules):
        console.print(line, markup=False)
    charts = [_chart(rules)] if rules.tables.chart else []
    for table in (*charts, _roles(rules), *_winnings(rules)):
        console.print()
        console.print(table)
    console.print("\nHow open questions are read", style="italic")
    for line in _readings(rules):
        console.print(line, markup=False, soft_wrap=True)


def _sentences(rules: Edition) -> Iterator[str]:
    yield ""
    yield f"Every player begins with ${rules.start_money:,}."
    if rules.schedule is Schedule.ONE_GROUP:
        yield "All play at one table, at least as many games as players; everybody is Sheriff equally often."
    for rounds in rules.rounds:
        yield f"{_range(rounds.players_from, rounds.players_to)} players play {rounds.rounds} rounds."
    once = "Nobody is Sheriff twice while others were never." if rules.tables.sheriff_once else ""
    yield f"Tables seat {_listed(rules.tables.sizes)}. {once}"
    characters = rules.characters
    yield (f"{_handed_out(rules)}; the Sheriff plays with {characters.sheriff_extra_life} more life point.")
    yield "Characters: " + ", ".join(f"{c.value} ({life_points(c)})" for c in characters.deck) + "."
    yield from _high_noon(rules)
    yield "Equal scores are ordered by: " + ", then ".join(rule.value for rule in rules.tie_breaks) + "."
    bonus = ", ".join(f"{place}. ${dollars}" for place, dollars in enumerate(rules.bonus, start=1))
    yield f"Bonus by place: {bonus or 'none'}."
    waivers = ", ".join(waiver.value for waiver in rules.waivers)
    yield f"The judge may waive: {waivers or 'nothing'}."


def _handed_out(rules: Edition) -> str:
    characters = rules.characters
    match characters.method:
        case CharacterMethod.DEAL_AND_CHOOSE:
            return (
                f"Each player is dealt {characters.dealt} of {len(characters.deck)} characters and keeps one"
            )
        case CharacterMethod.AUCTION:
            return f"As many of {len(characters.deck)} characters as players are turned up and auctioned"
        case CharacterMethod.AT_RANDOM:
            return f"Each player is dealt one of {len(characters.deck)} characters"


def _high_noon(rules: Edition) -> Iterator[str]:
    if rules.high_noon is None:
        yield "There is no High Noon."
        return
    for row in rules.high_noon.thresholds:
        yield (
            f"High Noon waits from reshuffle {row.reshuffles} on at tables of "
            f"{_range(row.players_from, row.players_to)}."
        )
    yield f"It begins with the turn of: {rules.high_noon.starter.value.replace('_', ' ')}."


def _chart(rules: Edition) -> Table:
    table = Table(title="Table chart", title_justify="left")
    table.add_column("players", justify="right")
    table.add_column("tables")
    for row in rules.tables.chart:
        table.add_row(str(row.players), " ".join(map(str, row.tables)))
    table.add_row("more", rules.tables.above_chart.value)
    return table


def _roles(rules: Edition) -> Table:
    table = Table(title="Roles", title_justify="left")
    table.add_column("players", justify="right")
    roles = [role for role in Role if any(row.count(role) for row in rules.roles)]
    for role in roles:
        table.add_column(role.value, justify="right")
    for row in rules.roles:
        table.add_row(str(row.players), *(str(row.count(role)) for role in roles))
    return table


def _winnings(rules: Edition) -> Iterator[Table]:
    for ending in Ending:
        table = Table(title=f"Winnings: {ending.value.replace('_', ' ')}", title_justify="left")
        for heading in ("role", "case", "printed"):
            table.add_column(heading)
        for size in rules.tables.sizes:
            table.add_column(f"table of {size}", justify="right")
        for row in rules.winnings:
            if row.ending is ending:
                table.add_row(*_winnings_cells(row, rules))
        yield table


def _winnings_cells(row: WinningsRow, rules: Edition) -> Iterator[str]:
    yield row.role.value
    yield row.case.value.replace("_", " ")
    yield row.printed
    if row.dollars:
        yield from (f"{dollars:,}" for dollars in row.dollars)
        return
    terms = (
        (row.per_outlaw, "Outlaw"),
        (row.per_player, "player"),
        (row.per_eliminated, "eliminated"),
    )
    formula = " + ".join(f"{dollars:,} / {counted}" for dollars, counted in terms if dollars)
    yield from (formula or "0" for _ in rules.tables.sizes)


def _readings(rules: Edition) -> Iterator[str]:
    found: dict[str, object] = msgspec.to_builtins(rules.readings)
    for flag, value in found.items():
        decision, question = READING_WORDS[flag]
        others = ", ".join(_written(other) for other in possible_readings(flag, rules) if other != value)
        also = f" (also possible: {others})" if others else ""
        yield f"{decision}  {question}: {flag} = {_written(value)}{also}"
    yield f"D02  more players than the chart: chart_above_50 = {rules.tables.above_chart.value}"


def possible_readings(flag: str, rules: Edition) -> tuple[object, ...]:
    """All values that a reading may have, as a file writes them. flag: a field of ``Readings``."""
    kind = typing.get_type_hints(Readings)[flag]
    values: tuple[object, ...] = (False, True)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        values = tuple(member.value for member in kind)
    return tuple(value for value in values if _is_possible(flag, value, rules))


def _is_possible(flag: str, value: object, rules: Edition) -> bool:
    found: dict[str, object] = msgspec.to_builtins(rules.readings)
    try:
        msgspec.convert({**found, flag: value}, Readings, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _range(first: int, last: int | None) -> str:
    if last is None:
        return f"{first} or more"
    return str(first) if first == last else f"{first} to {last}"


def _listed(sizes: tuple[int, ...]) -> str:
    *head, last = (str(size) for size in sizes)
    return f"{', '.join(head)} or {last}" if head else last
