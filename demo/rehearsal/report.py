"""The result of a rehearsal: its debrief, its figures, and the findings of the check."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from saloon.demo.processes import Processes, poll_until_timeout, program
from saloon.demo.rehearsal.audit import Audit, AuditedJournal, compare_journals
from saloon.demo.rehearsal.hall import STATION
from saloon.demo.rehearsal.memory import megabytes_of_all, processor_seconds_of_all
from saloon.demo.rehearsal.rehearsal import Rehearsal
from saloon.station.rehearsals.contract import FaultNow


def lines(faults: Iterable[FaultNow]) -> Iterator[str]:
    """Yield one line for each fault, in plain English, for the command line and the log."""
    for fault in faults:
        where = f"table {fault.table}" if fault.table else "station"
        shown = fault.shows_s
        if shown is None:
            yield f"{clock(fault.began_s)}  {where}: {fault.kind.value}; it never appeared"
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


_OWED_S: Final = 60.0


class Report:
    """A report, made while everything still runs. folder: of the rehearsal."""

    def __init__(self, rehearsal: Rehearsal, folder: Path) -> None:
        self._rehearsal = rehearsal
        self._folder = folder
        self._seconds = rehearsal.seconds
        self._megabytes = megabytes_of_all()
        self._processor_s = processor_seconds_of_all()
        self.wrong: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield the debrief and the figures, line by line."""
        yield from lines(self._rehearsal.ledger.faults)
        cores = self._processor_s / max(1.0, self._seconds)
        tables = len(self._rehearsal.hall.people)
        yield (
            f"{tables} tables for {self._seconds:.0f} s: {self._megabytes} MB in all, "
            f"{cores:.2f} of {os.cpu_count()} cores."
        )

    def verify(self, processes: Processes) -> Iterator[str]:
        """Wait until no entries are missing, then run the check and the programs for auditors.

        Raises ProgramDied where those reach another result.
        """
        audit = Audit()
        try:
            for _ in poll_until_timeout(_OWED_S, 0.5):
                audit = self._audited()
                if not audit.owed or audit.wrong:
                    break
        except TimeoutError:
            self.wrong = (f"{audit.owed} entries were not received",)
        self.wrong = (*self.wrong, *audit.wrong, *self._rehearsal.hall.units.failed())
        export = self._folder / "export.jsonl"
        export.write_bytes(self._rehearsal.hall.judge.export())
        for command in ("verify", "score"):
            processes.run(f"saloon-rules {command}", program("saloon-rules"), command, str(export))
        if self.wrong:
            yield f"WRONG: {'; '.join(self.wrong)}"
            return
        yield (
            f"{audit.entries} entries at the station, each once, in order, byte by byte as written; "
            f"{audit.lost} more went down with terminals that were destroyed. "
            "saloon-rules comes to the same results from the export."
        )

    def _audited(self) -> Audit:
        units = self._rehearsal.hall.units
        journals = {
            name: AuditedJournal(units.folder(unit.name) / "journal.db", units.is_dead(unit))
            for unit in units
            if (name := units.terminal(unit))
        }
        return compare_journals(self._folder / STATION / "station.sqlite", journals)
