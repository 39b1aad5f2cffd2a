"""``saloon-rules season``: compute a season from the proof packs of several stations."""

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from base.console import table_console
from base.errors import BadData, Unavailable
from base.terminal_text import echo_json, echo_lines
from base.whole_file import disk_errors_as_unavailable, write_whole
from core.cli.files import file_text
from core.proof.season_pack import SeasonPack, counted_packs, read_season_pack
from core.tournament.season import (
    OtherPerson,
    PersonAnswer,
    RankedPlayer,
    SamePerson,
    SeasonRow,
    Spelling,
    people_to_ask_about,
    qualifiers,
    read_season_rule,
    season_ranking,
)


class _Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    first: Spelling
    second: Spelling


class _PeopleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    same: tuple[_Pair, ...] = ()
    other: tuple[_Pair, ...] = ()


@click.command()
@click.argument("rule", type=click.Path(path_type=Path))
@click.argument("packs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--people", type=click.Path(path_type=Path), help="TOML: who is the same or another person.")
@click.option(
    "--top", type=click.IntRange(min=1), help="The places of a final; ties at the last all qualify."
)
@click.option("--list", "qualified", type=click.Path(path_type=Path), help="Write the qualifiers as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def season(
    rule: Path,
    packs: tuple[Path, ...],
    people: Path | None,
    top: int | None,
    qualified: Path | None,
    *,
    as_json: bool,
) -> None:
    """Add up the rankings of proof PACKS by a season's RULE, each verified first.

    A pack with a fault is named and left out. Several packs of one tournament count once. The exit status is
    1 if a pack was left out. Similar names are printed as TOML for --people: [[same]] or [[other]].
    """
    points = read_season_rule(file_text(rule))
    answers = () if people is None else _answers(people)
    valid, problems = list[tuple[Path, SeasonPack]](), list[str]()
    for path in packs:
        try:
            with disk_errors_as_unavailable(path), path.open("rb") as lines:
                valid.append((path, read_season_pack(lines, str(path))))
        except (BadData, Unavailable) as error:
            problems.append(str(error))
    counted = counted_packs([pack for _, pack in valid])
    problems += (
        f"{path}: it contradicts another pack of {pack.name}"
        for path, pack in valid
        if pack in counted.contradicting
    )
    rankings = {pack.tournament: pack.players for pack in counted.packs}
    rows = season_ranking(points, rankings, answers)
    chosen = rows if top is None else qualifiers(rows, top)
    if qualified is not None:
        write_whole(qualified, _players_csv(chosen))
    if as_json:
        fields = [
            {"rank": row.rank, "name": row.name, "club": row.club, "points": str(row.points)}
            for row in chosen
        ]
        echo_json(msgspec.json.encode({"rows": fields, "left_out": problems}))
    else:
        _print(table_console(), counted.packs, chosen, problems)
        for pair in people_to_ask_about(rankings, answers):
            echo_lines(_proposal(*pair))
    if problems:
        sys.exit(1)


def _answers(path: Path) -> tuple[PersonAnswer, ...]:
    try:
        data = msgspec.toml.decode(file_text(path), type=_PeopleFile)
    except msgspec.DecodeError as error:
        raise BadData(str(path), str(error)) from error
    same = (SamePerson(one.first, one.second) for one in data.same)
    return (*same, *(OtherPerson(one.first, one.second) for one in data.other))


def _proposal(one: RankedPlayer, other: RankedPlayer) -> str:
    first, second = (_inline(player) for player in (one, other))
    return f"# One person or two? Keep same, or write other.\n[[same]]\nfirst = {first}\nsecond = {second}"


def _inline(player: RankedPlayer) -> str:
    name, club = (msgspec.json.encode(text).decode() for text in (player.name, player.club))
    return f"{{ name = {name}, club = {club} }}"


def _players_csv(rows: tuple[SeasonRow, ...]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("name", "club"))
    for row in rows:
        # As in the station's own tables, a spreadsheet must not take a name for a formula.
        writer.writerow([f"'{cell}" if cell[:1] in {*"=+-@"} else cell for cell in (row.name, row.club)])
    return text.getvalue().encode("utf-8-sig")


def _print(
    console: Console, packs: tuple[SeasonPack, ...], rows: tuple[SeasonRow, ...], problems: list[str]
) -> None:
    for problem in problems:
        console.print(f"left out: {problem}", style="bold red", soft_wrap=True, markup=False)
    table = Table(box=None)
    for heading in ("rank", "player", "club", "points", *(f"{pack.name} {pack.date}" for pack in packs)):
        table.add_column(heading)
    for row in rows:
        table.add_row(*_cells(row, packs))
    console.print(table)


def _cells(row: SeasonRow, packs: tuple[SeasonPack, ...]) -> Iterator[str]:
    yield from (str(row.rank), row.name, row.club, str(row.points))
    for pack in packs:
        result = row.results.get(pack.tournament)
        yield "" if result is None else f"{result.points}{'' if result.counts else ' (dropped)'}"
