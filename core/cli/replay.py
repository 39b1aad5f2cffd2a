"""``saloon-rules replay``: replay a game's events turn by turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from core.game.state.game import GameState
from core.game.timeline import Timeline, extend

_HEADINGS = ("what happened", "turn", "reshuffles", "High Noon", "life points by seat", "ending")


class _Replayed(msgspec.Struct, frozen=True):
    title: str
    rows: tuple[tuple[str, ...], ...] = ()
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
    rows = tuple(
        _row(
            number,
            _words(msgspec.to_builtins(event), "type"),
            trace,
            life=_spaced(trace.life),
            ending="" if trace.ending is None else trace.ending.value,
        )
        for number, (event, trace) in enumerate(zip(game.events, traces[1:], strict=True))
    )
    return _Replayed(case.name, rows, trace_fields(traces[-1]))


def _row(number: int, happened: str, state: Trace | GameState, *, life: str, ending: str) -> tuple[str, ...]:
    turn = "" if state.turn is None else str(state.turn)
    return str(number), happened, turn, str(state.reshuffles), state.high_noon.value, life, ending


def _spaced(life: Iterable[int]) -> str:
    return " ".join(map(str, life))


def _of_steps(title: str, steps: Sequence[GameStep], where: str) -> _Replayed:
    timeline: Timeline | None = None
    rows: list[tuple[str, ...]] = []
    for number, step in enumerate(steps, start=1):
        try:
            timeline = extend(timeline, step)
        except BadData as error:
            raise BadData(f"{where}, {title}, step {number}", error.problem) from error
        happened = "; ".join(_words(msgspec.to_builtins(event), "event") for event in step.events)
        rows.append(_step_row(number, happened, timeline.state))
    if timeline is None:
        raise BadData(where, "there are no steps")
    return _Replayed(title, tuple(rows), {"steps": len(steps), "state": msgspec.to_builtins(timeline.state)})


def _step_row(number: int, happened: str, state: GameState) -> tuple[str, ...]:
    duel = state.duel
    if duel is None:
        life, ending = _spaced(seat.life for seat in state.seats), ""
    else:
        life = _standing(duel)
        ending = "" if duel.because is None else f"seat {duel.winner}: {duel.because.value}"
    if state.ending is not None:
        ending = state.ending.value
    return _row(number, happened, state, life=life, ending=ending)


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
    for heading in _HEADINGS:
        table.add_column(heading)
    for row in result.rows:
        table.add_row(*row)
    console.print(table)
