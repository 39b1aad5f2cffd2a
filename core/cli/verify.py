"""``saloon-rules verify``: check a proof pack byte by byte and recompute its results."""

import sys
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
from rich.console import Console

from base.console import table_console
from base.terminal_text import echo_json
from core.cli.export_file import pack_of
from core.proof.reading import PackFault
from core.proof.verify import PackVerdict, verify_pack


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--digest", default=None, help="The announced digest, which the pack must have.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def verify(file: Path, digest: str | None, *, as_json: bool) -> None:
    """Check a proof pack: every byte, every draw, every game, all money and the ranking.

    The exit status is 0 for a valid pack, 1 otherwise; each fault names its line.
    """
    verdict = verify_pack(pack_of(file), digest)
    if as_json:
        echo_json(msgspec.json.encode(_fields(verdict)))
    else:
        _print(table_console(), verdict)
    if not verdict.holds:
        sys.exit(1)


def _fields(verdict: PackVerdict) -> Mapping[str, object]:
    games = verdict.games
    return {
        "tournament": verdict.title,
        "holds": verdict.holds,
        "lines": verdict.lines,
        "digest": verdict.digest,
        "draws": verdict.steps.draws,
        "lots": verdict.steps.lots,
        "games_told": verdict.reported,
        "sheets": 0 if games is None else games.accepted,
        "replayed": 0 if games is None else games.replayed,
        "light": 0 if games is None else games.light,
        "public": verdict.public,
        "faults": [_of_fault(fault) for fault in verdict.faults],
        "notes": [_of_fault(note) for note in verdict.notes],
    }


def _of_fault(fault: PackFault) -> Mapping[str, object]:
    return {"line": fault.line, "problem": fault.problem}


def _print(console: Console, verdict: PackVerdict) -> None:
    games = verdict.games
    # The title of an invalid pack might read like a verdict.
    title = verdict.title if verdict.holds else "This pack"
    said = [
        f"{title}: {verdict.lines:,} lines, digest {verdict.digest or '?'}",
        f"  repeated from their seeds: draws {verdict.steps.draws}, lots {verdict.steps.lots}",
    ]
    if games is not None:
        said.append(
            f"  record sheets: {games.accepted}, replayed from a terminal's entries: {games.replayed}, "
            f"from paper: {games.paper}, corrected: {games.corrected}"
        )
        said.append(f"  full games: {games.replayed - games.light}, light games: {games.light}")
        if games.carried:
            said.append(f"  imported by code or USB drive, signed by their terminals: {games.carried}")
        said.append(f"  winnings and {'published ' if verdict.public else ''}ranking recomputed")
    for sentence in said:
        console.print(sentence, soft_wrap=True)
    for note in verdict.notes:
        console.print(f"  {note}", style="yellow", soft_wrap=True)
    for fault in verdict.faults[:_SHOWN]:
        console.print(f"  {fault}", style="bold red", soft_wrap=True)
    more = len(verdict.faults) - _SHOWN
    if more > 0:
        console.print(f"  and {more:,} more; --json has all of them", style="bold red")
    console.print(
        "Everything holds." if verdict.holds else f"Problems found: {len(verdict.faults)}.",
        style="green" if verdict.holds else "bold red",
    )


_SHOWN = 40
"""The most faults that are printed; a file with converted line ends has one fault per line."""
