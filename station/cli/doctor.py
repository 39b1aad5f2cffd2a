"""``doctor``: check the stored data, the computer and its connections."""

import datetime as dt
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

import click
import msgspec

from base.errors import Unavailable
from base.terminal_text import echo
from station.cli.copies import copy_of
from station.cli.options import data_option
from station.projections.projections import Projections
from station.server.addresses import exposed_hosts
from station.store.data_folder import DataFolder
from station.store.database import Database
from sync.checkup import Fields, look_at_clock, look_at_disk
from sync.connection_trial import TrialIdentity, look_at_address
from sync.ports.findings import Finding, NotReached
from sync.ports.mdns import hear_stations
from sync.ports.serial import BAUD, SerialPort, serial_devices
from sync.tls.trust import terminal_context

_FINE: Final = frozenset({
    Finding.DISK_FINE, Finding.CLOCK_FINE, Finding.FINE, Finding.HALL_HEARD, Finding.CABLE_FREE,
    Finding.DATABASE_VERIFIED,
})  # fmt: skip
_NOTES: Final = frozenset({Finding.HALL_SILENT, Finding.NO_STATION, Finding.PORT_BUSY, Finding.CLOCK_OFF})
"""Findings that are normal while the station is running, or while it is not."""


class CheckResult(msgspec.Struct, frozen=True):
    """The result of one check."""

    what: str
    finding: Finding
    fields: Fields
    detail: str = ""

    @property
    def is_wrong(self) -> bool:
        return self.finding not in _FINE | _NOTES

    @property
    def words(self) -> str:
        return self.finding.value.format(**self.fields)


@click.command()
@data_option
@click.option("--tls-port", default=7373, show_default=True, type=click.IntRange(1, 65_535))
@click.option("--serial", multiple=True, metavar="DEVICE", help="A cable to check; may be repeated.")
@click.option("--listen/--no-listen", default=True, help="Listen for this station's announcement for 3 s.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object, for programs.")
def doctor(
    folder: DataFolder,
    tls_port: int,
    serial: tuple[str, ...],
    listen: bool,  # noqa: FBT001 (click: by name)
    as_json: bool,  # noqa: FBT001 (the same)
) -> None:
    """Check all stored data, the disk, the port for terminals, cables and the network.

    The station may be running. Exits with status 0 if all is fine, 1 if something is wrong, 2 if the check
    failed.
    """
    stored, problems = _summarise_stored(folder)
    looks = tuple(_around(folder, tls_port, serial, listen=listen))
    is_fine = not problems and not any(look.is_wrong for look in looks)
    if as_json:
        echo(_json(stored, problems, looks, is_fine=is_fine))
    else:
        for line in stored:
            echo(line)
        for look in looks:
            sign = "✗" if look.is_wrong else "✓" if look.finding in _FINE else "·"
            echo(f"{sign} {look.what}: {look.words}" + (f" ({look.detail})" if look.detail else ""))
        for problem in problems:
            echo(problem, err=True)
        echo("Everything is whole." if not problems else f"{len(problems)} entries are damaged.")
    sys.exit(0 if is_fine else 1)


def _summarise_stored(folder: DataFolder) -> tuple[tuple[str, ...], tuple[str, ...]]:
    with copy_of(folder) as store:
        damaged = store.verify()
        projections = Projections()
        touched = projections.apply_all(stored.entry for stored in store.entries_after())
        kinds = Counter(stored.entry.stream.partition("/")[0] for stored in store.entries_after())
        quarantined = store.quarantined_entries()
    names = (("tournament", "steps of tournaments"), ("table", "of terminals"), ("orders", "orders"))
    lines = [f"{kinds[kind]:>8,} {name}" for kind, name in names]
    lines += [
        f"tournament {tournament}: {track.state.name}, {track.state.stage.value}"
        for tournament, track in projections.tournaments.items()
    ]
    problems = [f"{bad.entry.stream}, entry {bad.entry.seq}: {bad.problem}" for bad in quarantined]
    problems += [one.problem for one in touched if one.problem]
    if damaged and not problems:
        problems = [f"{len(damaged)} stored entries have changed"]
    return tuple(lines), tuple(problems)


def _around(
    folder: DataFolder, tls_port: int, serial: tuple[str, ...], *, listen: bool
) -> Iterator[CheckResult]:
    if folder.path.exists():
        yield CheckResult("disk", *look_at_disk(folder.path))
    yield CheckResult("clock", *look_at_clock(dt.datetime.now(dt.UTC)))
    if folder.is_shared:
        yield _database(folder)
    certificate = folder.path / "certificate.pem"
    if certificate.exists():
        text = certificate.read_text(encoding="ascii")
        identity = TrialIdentity(terminal_context(text, None, None), is_stranger=True)
        trial = look_at_address(f"127.0.0.1:{tls_port}", identity)
        yield CheckResult("terminals' port", trial.finding, dict(trial.fields), trial.detail)
        if listen and trial.finding is Finding.FINE:
            yield _check_announcements(text)
    for device in serial:
        yield _cable(device)


def _database(folder: DataFolder) -> CheckResult:
    hosts = exposed_hosts(Database(folder.url))
    if hosts:
        return CheckResult("database", Finding.DATABASE_EXPOSED, {"host": ", ".join(hosts)})
    return CheckResult("database", Finding.DATABASE_VERIFIED, {})


def _cable(device: str) -> CheckResult:
    port = SerialPort(device, BAUD)
    try:
        port.open()
    except NotReached as error:
        there = f"this computer has {', '.join(serial_devices()) or 'no serial devices'}"
        return CheckResult(f"serial {device}", error.finding, dict(error.fields), there)
    except Unavailable as error:
        return CheckResult(f"serial {device}", Finding.NO_DEVICE, {"device": device}, str(error))
    finally:
        port.close()
    return CheckResult(f"serial {device}", Finding.CABLE_FREE, {"device": device})


def _check_announcements(certificate: str) -> CheckResult:
    stations = hear_stations(certificate, "station")
    if not stations:
        return CheckResult("hall", Finding.HALL_SILENT, {})
    return CheckResult("hall", Finding.HALL_HEARD, {"address": ", ".join(one.address for one in stations)})


def _json(
    stored: tuple[str, ...], problems: tuple[str, ...], looks: tuple[CheckResult, ...], *, is_fine: bool
) -> str:
    checks = [
        {"what": look.what, "finding": look.finding.name.lower(), "wrong": look.is_wrong, "words": look.words,
         "detail": look.detail}
        for look in looks
    ]  # fmt: skip
    return json.dumps({"fine": is_fine, "stored": stored, "problems": problems, "checks": checks})
