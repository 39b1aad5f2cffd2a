"""The debrief of a rehearsal, from its actual course: each fault, the reaction time, the solution."""

from collections.abc import Iterable, Iterator

from saloon.station.rehearsals.contract import FaultNow


def lines(faults: Iterable[FaultNow]) -> Iterator[str]:
    """Yield one line for each fault, in plain English, for the command line and the log."""
    for fault in faults:
        where = f"table {fault.table}" if fault.table else "station"
        shown = fault.shows_s
        if shown is None:
            yield f"{clock(fault.began_s)}  {where}: {fault.kind.value}; it never came to show"
            continue
        parts = [f"{clock(shown)}  {where}: {fault.kind.value}"]
        if fault.reacted_s is not None:
            parts.append(f"a judge came after {fault.reacted_s - shown:.0f} s")
        if fault.solved is not None and fault.solved_s is not None:
            parts.append(f"{fault.solved.value} after {fault.solved_s - shown:.0f} s")
        else:
            parts.append("not solved")
        yield "; ".join(parts)


def clock(seconds: float) -> str:
    """Format seconds since the start as minutes and seconds."""
    return f"{int(seconds) // 60:3d}:{int(seconds) % 60:02d}"
