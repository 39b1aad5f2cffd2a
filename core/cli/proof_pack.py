"""Reading a tournament's proof pack from a file, and the command ``saloon-rules verify``.

docs/reference/export.md describes the format.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import msgspec
from rich.console import Console

from base.console import table_console
from base.errors import BadData, Refused
from base.terminal_text import echo_json
from core.differences import Difference, differences
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.events import GameStep
from core.game.state.game import Phase
from core.game.timeline import fold as fold_game
from core.proof.lines import StationLine, TerminalLine
from core.proof.reading import Pack, read_pack
from core.proof.steps import recompute_steps
from core.proof.verify import PackVerdict, verify_pack
from core.terms import GameId
from core.tournament.state.rounds import AcceptedSheet, sheet_of
from core.tournament.timeline import TournamentTimeline, fold

_SHOWN = 40
"""The most faults that are printed; a file with converted line ends has one fault per line."""


class Export(msgspec.Struct, frozen=True):
    """A pack that was read completely. games: the steps of each game, from its longest stream."""

    path: Path
    edition: Edition
    steps: tuple[StationLine, ...]
    tournament: TournamentTimeline
    games: Mapping[GameId, tuple[GameStep, ...]]


def is_export(text: str) -> bool:
    """Return whether a text begins like a proof pack."""
    try:
        first = msgspec.json.decode(text.split("\n", 1)[0])
    except msgspec.DecodeError:
        return False
    return isinstance(first, dict) and first.get("kind") == "saloon-export"


def pack_of(path: Path) -> Pack:
    """Read a pack and its faults from a file. Raises BadData for a file that can't be opened."""
    try:
        with path.open("rb") as lines:
            return read_pack(lines)
    except OSError as error:
        raise BadData(str(path), error.strerror or "cannot be read") from error


def read_export(path: Path) -> Export:
    """Return the contents of a tournament's pack. Raises BadData for the first fault, with file and line."""
    pack = pack_of(path)
    for fault in pack.faults:
        where = str(path) if fault.line is None else f"{path}, line {fault.line}"
        raise BadData(where, fault.problem)
    timeline = fold(line.step for line in pack.station)
    if timeline is None or pack.head is None:
        raise BadData(str(path), "there is no step of the tournament")
    state = timeline.state
    if (state.tournament, state.rules) != (pack.head.tournament, pack.head.rules):
        raise BadData(f"{path}, line 1", "the head names another tournament or other rules than its steps")
    return Export(
        path=path,
        edition=rules_of(state.rules),
        steps=pack.station,
        tournament=timeline,
        games=games_of(pack),
    )


def games_of(pack: Pack) -> Mapping[GameId, tuple[GameStep, ...]]:
    """Return the steps of each game from its longest stream; shorter streams are prefixes of it.

    Streams of terminals that the game was never assigned to are ignored.
    """
    streams: dict[GameId, dict[tuple[str, str], list[TerminalLine]]] = {}
    for line in pack.terminals:
        if not line.counts:
            continue
        streams.setdefault(line.step.game, {}).setdefault((line.stream, line.epoch), []).append(line)
    return {
        game: tuple(line.step for line in max(epochs.values(), key=len)) for game, epochs in streams.items()
    }


class AuditedGame(msgspec.Struct, frozen=True):
    """A game of a published draw, as accepted and as recomputed.

    accepted: the confirmed record sheet, if there is one.
    replayed: the result of the terminal's steps, or None without a terminal, or before the game's end.
    disagreement: the fields in which the two differ; expected is the accepted value.
    """

    title: str
    accepted: AcceptedSheet[FinishedGame] | None
    replayed: FinishedGame | None
    disagreement: tuple[Difference, ...]

    @property
    def result(self) -> FinishedGame | None:
        """The accepted result, or the terminal's while there is none."""
        return self.replayed if self.accepted is None else self.accepted.result

    @property
    def source(self) -> str:
        """The origin of the result, in words."""
        if self.accepted is None:
            return "terminal, not accepted"
        corrected = ", corrected" if self.accepted.corrections else ""
        return self.accepted.source.value + corrected


def audited_games(export: Export) -> Iterator[AuditedGame]:
    """Yield all games of published draws, by round and table. Raises BadData for impossible steps."""
    for drawn in export.tournament.state.published_rounds:
        for table in drawn.tables:
            accepted = sheet_of(drawn.sheets, table.game)
            replayed = _replay(export, table.game)
            disagreement: tuple[Difference, ...] = ()
            if accepted is not None and replayed is not None:
                disagreement = differences(
                    msgspec.to_builtins(accepted.result), msgspec.to_builtins(replayed)
                )
            title = f"round {drawn.round}, table {table.table}"
            yield AuditedGame(title, accepted, replayed, disagreement)


def _replay(export: Export, game: GameId) -> FinishedGame | None:
    try:
        timeline = fold_game(export.games.get(game, ()))
    except BadData as error:
        raise BadData(f"{export.path}, game {game}: {error.where}", error.problem) from error
    if timeline is None or timeline.state.phase not in {Phase.SHEET, Phase.CONFIRMED}:
        return None
    try:
        return finished_game(timeline.state)
    except Refused:
        # The judge entered the result from paper in the middle of the game.
        return None


def step_faults(export: Export) -> Iterator[str]:
    return (str(fault) for fault in recompute_steps(export.steps).faults)


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
        "faults": verdict.faults,
        "notes": verdict.notes,
    }


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
