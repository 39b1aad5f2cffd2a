"""A tournament as JSON Lines for auditors; the format is docs/export.md."""

from collections.abc import Iterator

import msgspec

from saloon.core.game.events import GameStep
from saloon.core.terms import TournamentId
from saloon.core.tournament.events import TournamentStep
from saloon.station.projections import GameTrack, Projections
from saloon.sync.hub import table_stream

VERSION = 1
_encoder = msgspec.json.Encoder()


class _Line(msgspec.Struct, frozen=True, tag_field="kind"):
    pass


class _Head(_Line, frozen=True, tag="saloon-export"):
    version: int
    tournament: TournamentId
    name: str
    edition: str


class _TournamentLine(_Line, frozen=True, tag="tournament-step"):
    seq: int
    step: TournamentStep


class _GameLine(_Line, frozen=True, tag="game-step"):
    stream: str
    epoch: str
    seq: int
    wall_ms: int
    step: GameStep


def export(projections: Projections, tournament: TournamentId) -> bytes:
    """The export of a tournament. Raises KeyError for an unknown one."""
    return b"".join(_encoder.encode(line) + b"\n" for line in _lines(projections, tournament))


def _lines(projections: Projections, tournament: TournamentId) -> Iterator[_Line]:
    track = projections.tournaments[tournament]
    yield _Head(VERSION, tournament, track.state.name, track.state.edition)
    for number, step in enumerate(track.steps, start=1):
        yield _TournamentLine(number, step)
    told = [track for tracks in projections.games.values() for track in tracks]
    lines = [line for track in told if _is_of(track, tournament) for line in _game_lines(track)]
    yield from sorted(lines, key=lambda line: (line.stream, line.epoch, line.seq))


def _is_of(track: GameTrack, tournament: TournamentId) -> bool:
    return track.state is not None and track.state.tournament == tournament


def _game_lines(track: GameTrack) -> Iterator[_GameLine]:
    stream = table_stream(track.terminal)
    for timed in track.steps:
        yield _GameLine(stream, track.epoch, timed.seq, timed.wall_ms, timed.step)
