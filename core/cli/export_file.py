"""A tournament's proof pack as facts to compute from. The format: docs/reference/export.md."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from base.errors import BadData
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.game.events import GameStep
from core.proof.lines import PackHead, StationLine, TerminalLine
from core.proof.reading import Pack, read_pack
from core.terms import GameId
from core.tournament.timeline import TournamentTimeline, fold


class Export(msgspec.Struct, frozen=True):
    """A completely read pack. ``games`` contains the steps of each game, from the longest stream."""

    path: Path
    head: PackHead
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
    """Return a tournament's facts from its pack. Raises BadData for the first fault, with file and line."""
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
        head=pack.head,
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
