"""A whole proof pack verified: bytes, steps and draws, games, money and ranking."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from saloon.core.proof.games import Games, apart_notes, copy_faults, games_again, told_games
from saloon.core.proof.lines import TerminalLine
from saloon.core.proof.reading import Pack, PackFault
from saloon.core.proof.results import result_faults
from saloon.core.proof.steps import Steps, steps_again
from saloon.core.tournament import events as e
from saloon.core.tournament.origin import SheetOrigin
from saloon.core.tournament.state import Stage
from saloon.core.tournament.timeline import TournamentTimeline

_Place = tuple[str, str, int]


def carried_faults(timeline: TournamentTimeline, lines: Sequence[TerminalLine]) -> Iterator[PackFault]:
    """Yield carried sheets whose journal, as far as the pack contains it, differs at their place."""
    hashes: Mapping[_Place, tuple[str, int]] = {
        (line.stream, line.epoch, line.seq): (line.hash, line.line) for line in lines
    }
    for origin in _origins(timeline):
        found = hashes.get((f"table/{origin.terminal}", origin.epoch, origin.seq))
        if found is not None and found[0] != origin.hash:
            yield PackFault(
                found[1],
                f"the record sheet carried from terminal {origin.terminal} names another entry {origin.seq}",
            )


def _origins(timeline: TournamentTimeline) -> Iterator[SheetOrigin]:
    for moment in timeline.moments:
        for event in moment.step.events:
            match event:
                case e.ResultAccepted():
                    if event.origin is not None:
                        yield event.origin
                case e.ResultContested():
                    yield event.origin
                case _:
                    continue


class PackVerdict(msgspec.Struct, frozen=True):
    """The verdict on a pack. faults: none if it proves its tournament. notes: no faults, with reasons.

    told: games that terminals reported. digest: of the pack, hex. games: None where the steps end too soon.
    """

    title: str
    lines: int
    digest: str
    steps: Steps
    told: int
    games: Games | None
    public: bool
    faults: tuple[PackFault, ...]
    notes: tuple[PackFault, ...]

    @property
    def holds(self) -> bool:
        """Return whether the pack proves the tournament."""
        return not self.faults


def verified(pack: Pack, digest: str | None = None) -> PackVerdict:
    """Repeat everything in a pack. digest: the announced one, if there was one.

    Later checks go on after faults in the bytes, as far as the lines can be read.
    """
    steps = steps_again(pack.station)
    told = told_games(pack.terminals)
    wrong_copies, lost_originals = copy_faults(pack.terminals)
    faults = [*pack.faults, *steps.faults, *wrong_copies]
    if digest is not None and digest != pack.digest:
        faults.append(PackFault(None, f"the digest of the file is {pack.digest}, not the one announced"))
    games: Games | None = None
    if steps.timeline is None or steps.edition is None:
        faults.append(PackFault(None, "there is no step of the tournament"))
    else:
        state = steps.timeline.state
        if pack.head is not None and (pack.head.tournament, pack.head.rules, pack.head.name) != (
            state.tournament,
            state.rules,
            state.name,
        ):
            faults.append(PackFault(1, "the head names another tournament or other rules than its steps"))
        games = games_again(steps.timeline, told)
        faults += carried_faults(steps.timeline, pack.terminals)
        faults += [*games.faults, *result_faults(pack, state, steps.edition)]
    return PackVerdict(
        title="" if pack.head is None else pack.head.name,
        lines=pack.count,
        digest=pack.digest,
        steps=steps,
        told=len(told),
        games=games,
        public=steps.timeline is not None and steps.timeline.state.stage is Stage.PUBLISHED,
        faults=tuple(faults),
        notes=(*(() if games is None else games.notes), *lost_originals, *apart_notes(pack.terminals)),
    )
