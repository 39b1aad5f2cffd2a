"""``saloon-rules replay``: replay a game's events turn by turn."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from base.console import table_console
from base.errors import BadData
from base.terminal_text import echo_json
from core.cli.cases.case import BASE_EDITION, EDITION_HELP, Case, read_cases
from core.cli.cases.turn_trace import PlainGame, Trace, trace_fields, trace_game
from core.cli.files import decode, file_text
from core.cli.proof_pack import is_export, read_export
from core.game.events import GameStep
from core.game.state.duel import DuelState
from core.game.state.game import GameState, HighNoon
from core.game.timeline import Timeline, extend


class _ReplayedEvent(msgspec.Struct, frozen=True):
    number: int
    happened: str
    turn: int | None
    reshuffles: int
    high_noon: HighNoon
    life: tuple[int, ...]
    ending: str = ""
    standing: str = ""


class _Replayed(msgspec.Struct, frozen=True):
    """A replayed game, line by line. fields: the same as JSON."""

    title: str
    lines: tuple[_ReplayedEvent, ...] = ()
    fields: Mapping[str, object] = {}
    note: str = ""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--edition", "edition_key", default=BASE_EDITION, help=EDITION_HELP)
@click.option("--game", "game", default=None, help="Only this game of an export.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
def replay(files: tuple[Path, ...], edition_key: str, game: str | None, *, as_json: bool) -> None:
    """Show games turn by turn: life points, reshuffles and High Noon.

    A file is a station's export, a JSON list of a game's steps, worked cases of High Noon, or one object with
    players, life and events.
    """
    replayed = [result for path in files for result in _replay_file(path, edition_key, game)]
    if as_json:
        echo_json(msgspec.json.encode([{"game": result.title, **result.fields} for result in replayed]))
        return
    console = table_console()
    for result in replayed:
        _print(console, result)


def _replay_file(path: Path, edition_key: str, game: str | None) -> Iterator[_Replayed]:
    text = file_text(path)
    if is_export(text):
        export = read_export(path)
        wanted = {name: steps for name, steps in export.games.items() if game in {None, name}}
        if game is not None and not wanted:
            raise BadData(str(path), f"no terminal reported a game {game}")
        for name, steps in wanted.items():
            yield _of_steps(name, steps, str(path))
        return
    if text.lstrip().startswith("[") and '"game-step"' in text:
        yield _of_steps("game", decode(text, tuple[GameStep, ...], str(path)), str(path))
        return
    for case in read_cases(path, "high_noon", edition_key):
        yield _of_plain(case)


def _of_plain(case: Case) -> _Replayed:
    if case.not_there:
        return _Replayed(case.name, note=case.not_there, fields={"note": case.not_there})
    game = decode(case.input, PlainGame, case.where)
    traces = trace_game(game, case.edition, case.where)
    lines = tuple(
        _plain_line(number, _words(msgspec.to_builtins(event), "type"), trace)
        for number, (event, trace) in enumerate(zip(game.events, traces[1:], strict=True))
    )
    return _Replayed(case.name, lines, trace_fields(traces[-1]))


def _plain_line(number: int, happened: str, trace: Trace) -> _ReplayedEvent:
    return _ReplayedEvent(
        number=number,
        happened=happened,
        turn=trace.turn,
        reshuffles=trace.reshuffles,
        high_noon=trace.high_noon,
        life=trace.life,
        ending="" if trace.ending is None else trace.ending.value,
    )


def _of_steps(title: str, steps: Sequence[GameStep], where: str) -> _Replayed:
    timeline: Timeline | None = None
    lines: list[_ReplayedEvent] = []
    for number, step in enumerate(steps, start=1):
        try:
            timeline = extend(timeline, step)
        except BadData as error:
            raise BadData(f"{where}, {title}, step {number}", error.problem) from error
        happened = "; ".join(_words(msgspec.to_builtins(event), "event") for event in step.events)
        lines.append(_step_line(number, happened, timeline.state))
    if timeline is None:
        raise BadData(where, "there are no steps")
    return _Replayed(title, tuple(lines), {"steps": len(steps), "state": msgspec.to_builtins(timeline.state)})


def _step_line(number: int, happened: str, state: GameState) -> _ReplayedEvent:
    duel = state.duel
    won = "" if duel is None or duel.because is None else f"seat {duel.winner}: {duel.because.value}"
    return _ReplayedEvent(
        number=number,
        happened=happened,
        turn=state.turn,
        reshuffles=state.reshuffles,
        high_noon=state.high_noon,
        life=tuple(seat.life for seat in state.seats),
        ending=won if state.ending is None else state.ending.value,
        standing="" if duel is None else _standing(duel),
    )


def _standing(duel: DuelState) -> str:
    sides = (
        " + ".join(f"{fighter.character.value} {fighter.life}" for fighter in side.in_play)
        for side in duel.sides
    )
    return f"{duel.score[0]}:{duel.score[1]}  {' | '.join(sides)}"


def _words(event: Mapping[str, object], tag: str) -> str:
    fields = [
        f"{key} {value if text is None else text}"
        for key, value in event.items()
        if key != tag and value is not None and (text := _names(value)) != ""
    ]
    return " ".join([str(event[tag]), *fields])


def _names(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return ", ".join(value) if all(isinstance(name, str) for name in value) else ""
    return "" if isinstance(value, dict) else None


def _print(console: Console, result: _Replayed) -> None:
    if result.note:
        console.print(f"{result.title}: {result.note}", style="yellow")
        return
    table = Table(title=result.title, title_justify="left")
    table.add_column("", justify="right")
    table.add_column("what happened")
    for heading in ("turn", "reshuffles", "High Noon", "life points by seat", "ending"):
        table.add_column(heading)
    for line in result.lines:
        table.add_row(
            str(line.number),
            line.happened,
            "" if line.turn is None else str(line.turn),
            str(line.reshuffles),
            line.high_noon.value,
            line.standing or " ".join(str(points) for points in line.life),
            line.ending,
        )
    console.print(table)
