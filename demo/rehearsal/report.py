"""The final report of a rehearsal: its faults, the resources used, and an audit of the journals."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from demo.hall import STATION
from demo.processes import megabytes_of_all, poll_until_timeout, processor_seconds_of_all
from demo.rehearsal.rehearsal import Rehearsal
from demo.rehearsal.watching import reading
from station.rehearsals.contract import FaultNow


class AuditedJournal(msgspec.Struct, frozen=True):
    """A terminal's journal file. ``destroyed`` is True if the terminal can't send its entries any more."""

    file: Path
    destroyed: bool


class JournalAudit(msgspec.Struct, frozen=True):
    """The result of an audit.

    entries: number of entries stored at the station.
    lost: number of entries that were destroyed before they were sent.
    missing: number of entries that working terminals haven't sent yet.
    wrong: inconsistencies, as sentences.
    """

    entries: int = 0
    lost: int = 0
    missing: int = 0
    wrong: tuple[str, ...] = ()


def compare_journals(station: Path, journals: Mapping[str, AuditedJournal]) -> JournalAudit:
    """Compare terminals' journals, by terminal id, with the station's database. All may be in use."""
    entries = lost = missing = 0
    wrong: list[str] = []
    with reading(station) as database:
        if database.execute("SELECT count(*) FROM quarantine").fetchone()[0]:
            wrong.append("entries in quarantine")
        for terminal, journal in journals.items():
            # Read the station first: entries that arrive meanwhile are already in the journals.
            rows = database.execute(
                "SELECT seq, raw FROM entries WHERE stream = ? ORDER BY arrival", (f"table/{terminal}",)
            ).fetchall()
            received = [(int(seq), bytes(raw)) for seq, raw in rows]
            own = _own(journal.file)
            if received != list(enumerate(own[: len(received)], 1)):
                wrong.append(f"{journal.file}: the station has others, or others in number or order")
            entries += len(received)
            lost += len(own) - len(received) if journal.destroyed else 0
            missing += 0 if journal.destroyed else len(own) - len(received)
    return JournalAudit(entries, lost, missing, tuple(wrong))


def _own(journal: Path) -> list[bytes]:
    if not journal.exists():
        return []
    with reading(journal) as database:
        return [bytes(row[0]) for row in database.execute("SELECT raw FROM own ORDER BY seq").fetchall()]


def lines(faults: Iterable[FaultNow]) -> Iterator[str]:
    """Yield a line of English about each fault."""
    for fault in faults:
        where = f"table {fault.table}" if fault.table else "station"
        shown_s = fault.shows_s
        if shown_s is None:
            yield f"{clock(fault.began_s)}  {where}: {fault.kind.value}; it never appeared"
            continue
        parts = [f"{clock(shown_s)}  {where}: {fault.kind.value}"]
        if fault.reacted_s is not None:
            parts.append(f"a judge came after {fault.reacted_s - shown_s:.0f} s")
        if fault.solved is not None and fault.solved_s is not None:
            parts.append(f"{fault.solved.value} after {fault.solved_s - shown_s:.0f} s")
        else:
            parts.append("not solved")
        yield "; ".join(parts)


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60:3d}:{int(seconds) % 60:02d}"


_PATIENCE_S: Final = 60.0


class Report:
    """The report of a rehearsal, which must be made while its programs are still running."""

    def __init__(self, rehearsal: Rehearsal) -> None:
        self._hall = rehearsal.hall
        self._faults = rehearsal.ledger.faults
        self._seconds = rehearsal.hall.seconds
        self._megabytes = megabytes_of_all()
        self._processor_s = processor_seconds_of_all()
        self.wrong: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield a line about each fault, then one about the resources used."""
        yield from lines(self._faults)
        cores = self._processor_s / max(1.0, self._seconds)
        tables = len(self._hall.people)
        yield (
            f"{tables} tables for {self._seconds:.0f} s: {self._megabytes} MB in all, "
            f"{cores:.2f} of {os.cpu_count()} cores."
        )

    def verify(self) -> Iterator[str]:
        """Wait for missing entries, then audit the journals, recount the results and yield the findings.

        Raises ProgramDied if the recount has other results.
        """
        audit = JournalAudit()
        try:
            for _ in poll_until_timeout(_PATIENCE_S, 0.5):
                audit = self._audit()
                if not audit.missing or audit.wrong:
                    break
        except TimeoutError:
            self.wrong = (f"{audit.missing} entries were not received",)
        self.wrong = (*self.wrong, *audit.wrong, *self._hall.failed_units())
        self._hall.save_proof_pack()
        if self.wrong:
            yield f"WRONG: {'; '.join(self.wrong)}"
            return
        yield (
            f"{audit.entries} entries at the station, each once, in order, byte by byte as written; "
            f"{audit.lost} more went down with terminals that were destroyed. "
            "saloon-rules comes to the same results from the export."
        )

    def _audit(self) -> JournalAudit:
        journals = {
            terminal: AuditedJournal(self._hall.folder(unit) / "journal.db", self._hall.is_dead(unit))
            for unit in self._hall.units
            if (terminal := self._hall.terminal_id(unit))
        }
        return compare_journals(self._hall.directory / STATION / "station.sqlite", journals)
