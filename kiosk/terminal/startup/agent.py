"""The startup of the agent that keeps the journal: its board, card, station, and routes.

A judge decides about a questionable memory card, and the next start carries the decision out. A copied card
or an old backup has to start over, as two journals with the same name contradict each other: journal and key
are moved to an archive, and the terminal enrols as if new. A card that was moved from a broken board
continues. Nothing is deleted.
"""

import contextlib
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import structlog

from base.errors import BadData, Unavailable
from base.signing import signer
from base.whole_file import write_whole
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress, file_problem_from_error
from kiosk.terminal.link.update_progress import update_place
from kiosk.terminal.startup.terminal_certificate import (
    BEGINS_ANEW,
    TerminalCertificate,
    is_card_reset_requested,
)
from kiosk.terminal.startup_settings import StartupSettings
from kiosk.view.table_view import FileProblem
from sync.enrolment.provisioning import Provisioning
from sync.enrolment.provisioning_keys import Fault, FileLine, WrongFile
from sync.ports.addresses import stream_to
from sync.protocol.entry import orders_of, table_stream
from sync.protocol.journal import Journal, OtherBoard
from sync.terminal.agent import JournalAgent, SynchronousAgent
from sync.terminal.agent_contract import Agent, Resumed, UplinkContract
from sync.terminal.agent_steps import Packer
from sync.terminal.station_clock import StationClock
from sync.terminal.station_record import StationRecord
from sync.terminal.status import status_file
from sync.tls.certificates import fingerprint_of_pem

_log = structlog.get_logger()
_MOVED = "moved-here"
_SET_ASIDE = (
    "journal.db",
    "journal.db-wal",
    "journal.db-shm",
    "key.pem",
    "certificate.pem",
    "enrolled",
    "provisioning.toml",
)


def request_card_reset(data: Path) -> None:
    """Request that the next start begin with a new journal and key. Raises OSError."""
    number = 1 + sum(1 for _ in data.glob("aside-*"))
    write_whole(data / BEGINS_ANEW, f"aside-{number}".encode())


def reset_card_if_requested(data: Path) -> Path | None:
    """Archive journal, key and enrolment if requested, and return the archive's folder.

    Call it before the journal is opened. After an interruption it continues. Raises OSError.
    """
    if not is_card_reset_requested(data):
        return None
    request = data / BEGINS_ANEW
    aside = data / request.read_text(encoding="ascii")
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in _SET_ASIDE:
        with contextlib.suppress(FileNotFoundError):
            (data / name).rename(aside / name)
    request.unlink()
    _log.warning("starting over; journal and key are archived", kept=str(aside))
    return aside


def accept_board_change(data: Path) -> None:
    write_whole(data / _MOVED, b"yes")


def is_board_change_accepted(data: Path) -> bool:
    return (data / _MOVED).exists()


def clear_board_change(data: Path) -> None:
    (data / _MOVED).unlink(missing_ok=True)


_LIKE_OURS = re.compile(r"saloon.*\.toml.*", re.IGNORECASE)
_BOARD_FILES = (Path("/sys/firmware/devicetree/base/serial-number"), Path("/etc/machine-id"))


class OwnAgent(msgspec.Struct, frozen=True):
    """The agent that keeps the journal, and its settings.

    journal_of: opens the journal under a board's name.
    open_uplink: creates the agent's uplink.
    """

    agent: JournalAgent
    journal_of: Callable[[str], Journal]
    open_uplink: Callable[[], UplinkContract]
    enrolling: EnrolmentProgress
    panel: str


def start_agent(
    settings: StartupSettings, own_certificate: TerminalCertificate, parts: contextlib.ExitStack
) -> tuple[OwnAgent, Agent, Resumed]:
    """Start the agent, and return its settings, the running agent, and the contents of the journal.

    If the card belongs to another board, the agent only shows the journal.
    """
    try:
        own = _open_agent(settings, own_certificate, parts)
    except Unavailable:
        raise
    except OSError as error:
        raise Unavailable(f"{error.filename or settings.data}: {error.strerror or error}") from error
    try:
        held = own.agent.start()
    except OtherBoard as error:
        _log.error("the memory card is from another board", problem=str(error))
        own.agent.stop()
        agent = SynchronousAgent(own.journal_of(error.board))
        held = agent.start()
        if held.own or held.orders:
            return own, agent, held
        # A copy of an unused card: nothing can be lost, but it needs a new key.
        agent.stop()
        request_card_reset(settings.data)
        return start_agent(settings, own_certificate, parts)
    except BaseException:
        own.agent.stop()
        raise
    clear_board_change(settings.data)
    return own, own.agent, held


def _open_agent(
    settings: StartupSettings, own_certificate: TerminalCertificate, parts: contextlib.ExitStack
) -> OwnAgent:
    data = settings.data
    reset_card_if_requested(data)
    key, certificate = own_certificate.files()
    terminal = fingerprint_of_pem(certificate.read_text(encoding="ascii"), str(certificate))
    stream, orders = table_stream(terminal), orders_of(terminal)

    def journal_of(board: str, *, adopts: bool = False) -> Journal:
        return Journal(data / "journal.db", stream, orders, board, adopts=adopts)

    journal = journal_of(board_name(), adopts=is_board_change_accepted(data))

    def sign(content: bytes) -> bytes:
        return signer(key.read_bytes(), str(key))(content)

    packer = Packer(terminal, sign)
    record = StationRecord(data)
    station, file_problem = find_station(settings, record)

    clock = StationClock() if settings.sets_clock else None
    for address in settings.stations:
        stream_to(address, "--station")
    late = contextlib.ExitStack()
    parts.callback(late.close)

    def open_uplink() -> UplinkContract:
        from kiosk.terminal.startup.station_connection import ConnectionConfig, open_connector

        place = update_place(settings.system_root)
        config = ConnectionConfig(terminal, (key, certificate), journal, record, station, place, clock)
        return open_connector(settings, config, late)

    addresses = (*settings.stations, *(station.station.addresses if station is not None else ()))
    believed = (lambda: False) if clock is None else clock.is_believed
    agent = JournalAgent(journal, None, status=status_file(data), packer=packer, trusted_clock=believed)
    panel = "" if station is None else station.terminal.panel
    enrolling = EnrolmentProgress(addresses, file_problem, is_enrolled=station is not None)
    return OwnAgent(agent, journal_of, open_uplink, enrolling, panel)


def find_station(
    settings: StartupSettings, record: StationRecord
) -> tuple[Provisioning | None, FileProblem | None]:
    """Return the terminal's station, and the problem of a provisioning file on its card.

    A missing or invalid file named on the command line raises an error; one on the card is shown on the
    screen.
    """
    if settings.provisioning is not None:
        if not settings.provisioning.exists():
            known = record.load()
            if known is None:
                raise BadData(str(settings.provisioning), "there is no such provisioning file")
            return known, None
        return record.import_file(settings.provisioning, moves=False), None
    problem: FileProblem | None = None
    for file in settings.boot_files:
        try:
            record.import_file(file, moves=True)
        except (BadData, Unavailable) as error:
            _log.error("cannot import the provisioning file", problem=str(error))
            problem = file_problem_from_error(error)
    try:
        known = record.load()
    except (BadData, Unavailable) as error:
        _log.error("cannot read the record of the station", problem=str(error))
        return None, problem or file_problem_from_error(error)
    if known is None and problem is None and (misnamed := misnamed_file(settings.boot_files)) is not None:
        _log.error("cannot import the provisioning file", problem=str(misnamed))
        problem = file_problem_from_error(misnamed)
    return known, problem


def misnamed_file(boot_files: Sequence[Path]) -> WrongFile | None:
    """Return advice about a provisioning file whose name isn't looked for, or None.

    Downloads are called saloon-table-7.toml, and Windows hides the end of saloon.toml.txt.
    """
    for file in boot_files:
        with contextlib.suppress(OSError):
            names = sorted(entry.name for entry in file.parent.iterdir())
            alike = [name for name in names if _LIKE_OURS.fullmatch(name)]
            if alike and file.name not in alike:
                where, named = str(file), {"found": alike[0], "name": file.name}
                return WrongFile(where, FileLine(), Fault.OTHER_NAME, **named)
    return None


def board_name() -> str:
    """Return an id of this board, hashed so that it can be logged."""
    for file in _BOARD_FILES:
        with contextlib.suppress(OSError):
            name = file.read_bytes().strip(b"\0\n ")
            if name:
                return hashlib.sha256(name).hexdigest()[:16]
    return "unnamed"
