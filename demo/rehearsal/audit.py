"""The check of a rehearsal: the terminals' journals against the station's entries."""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec


class AuditedJournal(msgspec.Struct, frozen=True):
    """A terminal's journal.

    destroyed: the terminal is gone for good, with the entries that only it had.
    """

    file: Path
    destroyed: bool


class Audit(msgspec.Struct, frozen=True):
    """The findings of a check.

    entries: of all terminals, at the station. lost: written at terminals that were destroyed, and not
    received before. owed: written at the others, not received yet. wrong: forbidden states, in words.
    """

    entries: int = 0
    lost: int = 0
    owed: int = 0
    wrong: tuple[str, ...] = ()


def compare_journals(station: Path, journals: Mapping[str, AuditedJournal]) -> Audit:
    """Compare journals, by their terminals' names, with the station's database; both may be in use."""
    audit = Audit()
    with _reading(station) as database:
        if database.execute("SELECT count(*) FROM quarantine").fetchone()[0]:
            audit = msgspec.structs.replace(audit, wrong=("entries in quarantine",))
        for terminal, journal in journals.items():
            # The station first: an entry that arrives meanwhile is in the journal already.
            rows = database.execute(
                "SELECT seq, raw FROM entries WHERE stream = ? ORDER BY arrival", (f"table/{terminal}",)
            ).fetchall()
            held = [(int(seq), bytes(raw)) for seq, raw in rows]
            audit = _with(audit, journal, held, _own(journal.file))
    return audit


def _with(audit: Audit, journal: AuditedJournal, held: list[tuple[int, bytes]], own: list[bytes]) -> Audit:
    missing = len(own) - len(held)
    wrong = audit.wrong
    if held != list(enumerate(own[: len(held)], 1)):
        wrong = (*wrong, f"{journal.file}: the station has others, or others in number or order")
    return Audit(
        entries=audit.entries + len(held),
        lost=audit.lost + (missing if journal.destroyed else 0),
        owed=audit.owed + (0 if journal.destroyed else missing),
        wrong=wrong,
    )


def _own(journal: Path) -> list[bytes]:
    if not journal.exists():
        return []
    with _reading(journal) as database:
        return [bytes(row[0]) for row in database.execute("SELECT raw FROM own ORDER BY seq").fetchall()]


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        yield database
