"""The checks of ``saloon-terminal doctor``, in the order of its report."""

import datetime as dt
import enum
import os
import shutil
import sqlite3
import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData, Unavailable
from sync.connection_trial import TrialIdentity, TrialResult, look_at_address, look_at_cable
from sync.enrolment.provisioning import Provisioning
from sync.ports.addresses import FoundStation, address_of, route_name
from sync.ports.findings import Finding
from sync.protocol.journal import check_content
from sync.terminal.agent_contract import LinkPhase
from sync.terminal.status import TerminalStatus
from sync.tls.trust import terminal_context

Fields = dict[str, str | int]
_LEAST_FREE_MB: Final = 64
_EARLIEST: Final = 2024
_LATEST: Final = 2100


def _look_at_journal(path: Path, received: int) -> tuple[Finding, Fields]:
    """Check a journal's content, and count the entries that the station has not received.

    ``received`` is the running terminal's count of acknowledged entries, which may be ahead of the journal's.
    """
    if not path.exists():
        return Finding.JOURNAL_NONE, {}
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchall():
                return Finding.JOURNAL_NONE, {}  # the power failed before its last table was created
            entries = len(check_content(path, lambda query: db.execute(query).fetchall())) - 1
            rows = db.execute("SELECT value FROM facts WHERE name = 'received'").fetchall()
            typed = db.execute("PRAGMA quick_check").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError, BadData) as error:
        return Finding.JOURNAL_DAMAGED, {"problem": str(error)}
    if typed != "ok":
        return Finding.JOURNAL_DAMAGED, {"problem": str(typed)}
    # The number, followed by the journal's checksum of it.
    noted = str(rows[0][0]).partition(" ")[0] if rows else "0"
    received = max(received, int(noted) if noted.isdecimal() else 0)
    return Finding.JOURNAL_WHOLE, {"entries": entries, "owes": max(0, entries - received)}


def typed_addresses(path: Path) -> tuple[str, ...]:
    """Return the last working address and those typed at the terminal; none if the journal is unreadable."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            rows = dict(db.execute("SELECT name, value FROM facts WHERE name IN ('typed', 'way')").fetchall())
    except sqlite3.Error:
        return ()
    last = address_of(str(rows.get("way", "")))
    return tuple(dict.fromkeys([*filter(None, [last]), *str(rows.get("typed", "")).split()]))


def look_at_disk(folder: Path) -> tuple[Finding, Fields]:
    """Check whether the card is writable and has free space."""
    free = shutil.disk_usage(folder).free // 1_000_000
    if not os.access(folder, os.W_OK):
        return Finding.DISK_READ_ONLY, {"free": free}
    return (Finding.DISK_FINE if free >= _LEAST_FREE_MB else Finding.DISK_FULL), {"free": free}


def look_at_clock(now: dt.datetime) -> tuple[Finding, Fields]:
    """Check whether the wall clock is plausible."""
    is_plausible = _EARLIEST <= now.year <= _LATEST
    return (Finding.CLOCK_FINE if is_plausible else Finding.CLOCK_OFF), {"year": now.year}


class Grade(enum.Enum):
    """The severity of a finding."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


class Check(msgspec.Struct, frozen=True):
    """The result of one check. ``figures`` are details for an engineer."""

    what: str
    finding: Finding
    grade: Grade
    fields: Fields = {}
    detail: str = ""
    figures: dict[str, int | float | str] = {}


class ExaminedTerminal(msgspec.Struct, frozen=True):
    """The terminal to examine.

    station: None if it was never enrolled.
    running: None if it isn't running.
    devices, addresses: those given on the command line.
    announced: stations announced on the network, or None if nobody listened for them.
    """

    data: Path
    station: Provisioning | None
    running: TerminalStatus | None
    devices: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    announced: tuple[FoundStation, ...] | None = None


_GRADES: Final = {
    Finding.FINE: Grade.FINE,
    Finding.LINK_WELL: Grade.FINE,
    Finding.RUNNING_CONNECTED: Grade.FINE,
    Finding.JOURNAL_WHOLE: Grade.FINE,
    Finding.DISK_FINE: Grade.FINE,
    Finding.CLOCK_FINE: Grade.FINE,
    Finding.HALL_HEARD: Grade.FINE,
    Finding.HALL_SILENT: Grade.NOTE,
    Finding.NOT_RUNNING: Grade.NOTE,
    Finding.JOURNAL_NONE: Grade.NOTE,
    Finding.CLOCK_OFF: Grade.NOTE,
}


def checks(terminal: ExaminedTerminal, now: dt.datetime) -> Iterator[Check]:
    """Yield the checks one by one. Raises BadData for a damaged provisioning file.

    A route that fails is only a note if another one leads to the station.
    """
    running = terminal.running
    yield _running(running)
    received = 0 if running is None else running.received
    yield _plain("journal", *_look_at_journal(terminal.data / "journal.db", received))
    yield _plain("card", *look_at_disk(terminal.data))
    yield _plain("clock", *look_at_clock(now))
    if terminal.station is None:
        yield _plain("enrolment", Finding.NOT_PROVISIONED, {})
        return
    routes = list(_routes(terminal, terminal.station))
    leads = any(check.finding is Finding.FINE for check in routes)
    leads = leads or (running is not None and running.link.phase is LinkPhase.CONNECTED)
    if not routes:
        yield _plain("ways", Finding.NO_WAY, {})
    for check in routes:
        is_less = leads and check.grade is Grade.WRONG and check.finding is not Finding.NOISE
        yield msgspec.structs.replace(check, grade=Grade.NOTE) if is_less else check
    if terminal.announced:
        addresses = ", ".join(station.address for station in terminal.announced)
        yield _plain("hall", Finding.HALL_HEARD, {"address": addresses})
    elif terminal.announced is not None:
        yield _plain("hall", Finding.HALL_SILENT, {})


def _running(running: TerminalStatus | None) -> Check:
    if running is None:
        return _plain("terminal", Finding.NOT_RUNNING, {})
    link = running.link
    figures: dict[str, int | float | str] = {
        "saved": running.saved,
        "received": running.received,
        "tries": link.tries,
        "connections": link.connections,
    }
    if link.figures is not None:
        figures.update(msgspec.to_builtins(link.figures))
    if link.phase is LinkPhase.CONNECTED:
        finding, fields = Finding.RUNNING_CONNECTED, Fields(way=link.way)
    else:
        finding, fields = link.finding or Finding.RUNNING_ALONE, dict(link.fields)
    return msgspec.structs.replace(_plain("terminal", finding, fields), detail=link.detail, figures=figures)


def _routes(terminal: ExaminedTerminal, station: Provisioning) -> Iterator[Check]:
    identity = _trial_identity(terminal, station)
    for device in dict.fromkeys(filter(None, (*terminal.devices, station.terminal.serial))):
        looked = look_at_cable(device, identity)
        if looked.trial.finding is Finding.PORT_BUSY and terminal.running is not None:
            continue  # the terminal has the port open and has reported its state
        figures: dict[str, int | float | str] = {"bit_errors": float(f"{looked.bit_errors:.1e}")}
        yield _trial_check(f"serial {device}", looked.trial, figures)
    typed = typed_addresses(terminal.data / "journal.db")
    for address in dict.fromkeys((*terminal.addresses, *station.station.addresses, *typed)):
        yield _trial_check(route_name(address), look_at_address(address, identity), {})


def _trial_identity(terminal: ExaminedTerminal, station: Provisioning) -> TrialIdentity:
    """Return the identity for trial connections.

    It is anonymous while the terminal runs, as the station would close the terminal's connection otherwise.
    """
    key, certificate = terminal.data / "key.pem", terminal.data / "certificate.pem"
    is_stranger = terminal.running is not None or not (key.exists() and certificate.exists())
    files = (None, None) if is_stranger else (key, certificate)
    return TrialIdentity(terminal_context(station.station.certificate, *files), is_stranger)


def _trial_check(what: str, trial: TrialResult, figures: dict[str, int | float | str]) -> Check:
    all_figures: dict[str, int | float | str] = {"took_ms": trial.took_ms, **figures}
    if trial.counters is not None:
        all_figures.update(msgspec.to_builtins(trial.counters))
    plain = _plain(what, trial.finding, dict(trial.fields))
    return msgspec.structs.replace(plain, detail=trial.detail, figures=all_figures)


def _plain(what: str, finding: Finding, fields: Fields) -> Check:
    return Check(what, finding, _GRADES.get(finding, Grade.WRONG), fields)


CANNOT_LOOK: Final = (BadData, Unavailable, ssl.SSLError, OSError)
"""Errors that prevent the diagnosis as a whole."""
