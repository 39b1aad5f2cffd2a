"""The station's export of a tournament, as docs/export.md describes it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import rules_of
from saloon.core.errors import BadData
from saloon.core.game.events import GameStep
from saloon.core.program.files import decoded, file_text
from saloon.core.terms import GameId, TournamentId
from saloon.core.tournament.events import TournamentStep
from saloon.core.tournament.timeline import Timeline, fold

VERSION = 1


class _Line(msgspec.Struct, frozen=True, tag_field="kind"):
    pass


class Head(_Line, frozen=True, tag="saloon-export"):
    """The first line."""

    version: int
    tournament: TournamentId
    name: str
    edition: str


class TournamentLine(_Line, frozen=True, tag="tournament-step"):
    """A step of the tournament's stream."""

    seq: int
    step: TournamentStep


class GameLine(_Line, frozen=True, tag="game-step"):
    """A step that a terminal reported. wall_ms: milliseconds since 1970, for people."""

    stream: str
    epoch: str
    seq: int
    step: GameStep
    wall_ms: int = 0


class Export(msgspec.Struct, frozen=True):
    """An export that was read. games: the steps of each game, from the stream with the most of them."""

    path: Path
    head: Head
    edition: Edition
    tournament: Timeline
    games: Mapping[GameId, tuple[GameStep, ...]]


def is_export(text: str) -> bool:
    """Whether a text begins as an export does."""
    try:
        first = msgspec.json.decode(text.split("\n", 1)[0])
    except msgspec.DecodeError:
        return False
    return isinstance(first, dict) and first.get("kind") == "saloon-export"


def read_export(path: Path) -> Export:
    """An export from its file. Raises BadData naming file and line."""
    lines = list(_lines(path))
    if not lines or not isinstance(lines[0], Head):
        raise BadData(f"{path}, line 1", 'the first line must be {"kind":"saloon-export",...}')
    head = lines[0]
    if head.version != VERSION:
        raise BadData(f"{path}, line 1", f"version {head.version} is unknown; this program reads {VERSION}")
    steps: list[TournamentStep] = []
    streams: dict[GameId, dict[tuple[str, str], list[GameLine]]] = {}
    for number, line in enumerate(lines[1:], start=2):
        match line:
            case Head():
                raise BadData(f"{path}, line {number}", "a second head")
            case TournamentLine():
                if line.seq != len(steps) + 1:
                    raise BadData(f"{path}, line {number}", f"seq is {line.seq}, expected {len(steps) + 1}")
                steps.append(line.step)
            case GameLine():
                stream = streams.setdefault(line.step.game, {}).setdefault((line.stream, line.epoch), [])
                if stream and line.seq <= stream[-1].seq:
                    raise BadData(f"{path}, line {number}", f"seq {line.seq} after {stream[-1].seq}")
                stream.append(line)
    timeline = _folded(steps, head, path)
    return Export(
        path=path,
        head=head,
        edition=rules_of(timeline.state.rules),
        tournament=timeline,
        games={game: _longest(found) for game, found in streams.items()},
    )


def _lines(path: Path) -> Iterator[Head | TournamentLine | GameLine]:
    for number, text in enumerate(file_text(path).split("\n"), start=1):
        if text.strip():
            yield _decoded_line(text, f"{path}, line {number}")


def _decoded_line(text: str, where: str) -> Head | TournamentLine | GameLine:
    kind = decoded(text, _AnyKind, where).kind
    if kind not in _KINDS:
        raise BadData(where, f"unknown kind {kind!r}; allowed: {', '.join(_KINDS)}")
    return decoded(text, _KINDS[kind], where)


class _AnyKind(msgspec.Struct, frozen=True):
    kind: str


_KINDS: Mapping[str, type[Head] | type[TournamentLine] | type[GameLine]] = {
    "saloon-export": Head,
    "tournament-step": TournamentLine,
    "game-step": GameLine,
}


def _folded(steps: list[TournamentStep], head: Head, path: Path) -> Timeline:
    timeline = fold(steps)
    if timeline is None:
        raise BadData(str(path), "there is no step of the tournament")
    state = timeline.state
    if (state.tournament, state.edition) != (head.tournament, head.edition):
        raise BadData(f"{path}, line 1", "the head names another tournament or edition than its steps")
    return timeline


def _longest(streams: Mapping[tuple[str, str], list[GameLine]]) -> tuple[GameStep, ...]:
    longest = max(streams.values(), key=len)
    return tuple(line.step for line in longest)
