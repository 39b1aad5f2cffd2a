"""Record sheets that were carried, beside the journals that they name."""

from collections.abc import Iterator, Mapping, Sequence

from saloon.core.proof.lines import TerminalLine
from saloon.core.proof.reading import Fault
from saloon.core.tournament import events as e
from saloon.core.tournament.origin import SheetOrigin
from saloon.core.tournament.timeline import Timeline

_Place = tuple[str, str, int]


def carried_faults(timeline: Timeline, lines: Sequence[TerminalLine]) -> Iterator[Fault]:
    """Carried sheets whose journal, as far as the pack holds it, has another entry at the place they name."""
    hashes: Mapping[_Place, tuple[str, int]] = {
        (line.stream, line.epoch, line.seq): (line.hash, line.line) for line in lines
    }
    for origin in _origins(timeline):
        found = hashes.get((f"table/{origin.terminal}", origin.epoch, origin.seq))
        if found is not None and found[0] != origin.hash:
            yield Fault(
                found[1],
                f"the record sheet carried from terminal {origin.terminal} names another entry {origin.seq}",
            )


def _origins(timeline: Timeline) -> Iterator[SheetOrigin]:
    for moment in timeline.moments:
        for event in moment.step.events:
            match event:
                case e.SheetAccepted() | e.DuelAccepted():
                    if event.origin is not None:
                        yield event.origin
                case e.SheetContested() | e.DuelContested():
                    yield event.origin
                case _:
                    continue
