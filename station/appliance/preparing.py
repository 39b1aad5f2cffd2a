"""Import the card file and write the system's files before the station starts. Runs as root."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base.errors import BadData, Unavailable
from base.whole_file import DiskFiles, Files, disk_errors_as_unavailable, remove, replace, write_in_memory
from station.accounts.judges import Judges, hash_password
from station.appliance.card import CablesPart, Card, CardWifi, CopiesPart, HallPart, NetworkPart, card_from
from station.appliance.network import access_point_text, network_files, wifi_address
from station.appliance.status import HALL_FILE, CardProblem, HallSettings, WifiShown
from sync.enrolment.agreement import code_of
from sync.enrolment.provisioning_keys import WrongFile
from sync.terminal.station_record import GONE, CardFiles, wipe

_log = structlog.get_logger()
_FILE: Final = "judge-of-the-card.json"
_KEPT: Final = "station.json"
_SSH: Final = "authorized_keys"
_ZONES: Final = Path("/usr/share/zoneinfo")
_RANDOM: Final = 7
_SHORT: Final = 4


class StoredSettings(msgspec.Struct, frozen=True):
    """The part of the card file that is stored: everything but the judge's account and the SSH key."""

    hall: HallPart = HallPart()
    network: NetworkPart = NetworkPart()
    wifi: CardWifi = CardWifi()
    copies: CopiesPart = CopiesPart()
    cables: CablesPart = CablesPart()


def settings_to_store(card: Card, former: StoredSettings, chance: Callable[[int], bytes]) -> StoredSettings:
    """Return the part of a card file to store, reusing the values generated for ``former``.

    A generated password has ten characters (50 bits), which people can still type from a screen.
    """
    wifi = msgspec.structs.replace(
        card.wifi,
        name=card.wifi.name or former.wifi.name or f"Saloon-{code_of(chance(_RANDOM))[:_SHORT]}",
        password=card.wifi.password or former.wifi.password or code_of(chance(_RANDOM)).lower(),
    )
    return StoredSettings(card.hall, card.network, wifi, card.copies, card.cables)


def hall_of(kept: StoredSettings, problem: WrongFile | None) -> HallSettings:
    """Return the settings for screen and pages. A missing radio is noticed later, as drivers load slowly."""
    wifi = kept.wifi
    hall_wifi = WifiShown(wifi.name, wifi.password, str(wifi_address(kept.network).ip))
    return HallSettings(
        name=kept.hall.name,
        language=kept.hall.language,
        wifi=hall_wifi if wifi.access_point else None,
        copy_every_min=kept.copies.every_min,
        card=None if problem is None else problem_of(problem),
    )


def problem_of(wrong: WrongFile) -> CardProblem:
    """Return a card file's problem for the station's screen."""
    key = " ".join(filter(None, (f"[{wrong.section}]" if wrong.section else "", wrong.key)))
    return CardProblem(
        line=wrong.place.number,
        key=key,
        problem=wrong.fault.value,
        text=wrong.place.text,
        fields={name: str(value) for name, value in wrong.fields.items()},
    )


def arguments_of(cables: CablesPart) -> str:
    """Return the cables as options of ``serve``, for a systemd environment file."""
    words = [part for device in cables.serial for part in ("--serial", device)]
    words += [part for device in cables.bus for part in ("--bus", device)]
    return f"SALOON_CABLES={' '.join(words)}\n"


class _Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    hashed: str


def leave_account(files: Files, folder: Path, name: str, password: str) -> None:
    """Store an account for the station to add, with its password as a hash. Raises Unavailable or BadData."""
    replace(files, folder / _FILE, msgspec.json.encode(_Account(name, hash_password(password))))


def take_account(folder: Path, judges: Judges) -> None:
    """Add the stored account, or set the new password if there is an account of this name.

    Safe to interrupt: it is repeated at the next start. An unreadable file is kept and reported at each start
    until a new one replaces it. Raises Unavailable, BadData for a damaged database.
    """
    path = folder / _FILE
    with disk_errors_as_unavailable(path):
        content = path.read_bytes() if path.exists() else None
    if content is None:
        return
    try:
        account = msgspec.json.decode(content, type=_Account)
    except msgspec.DecodeError as error:
        _log.error(
            "the account from the card file cannot be read: put the file on the card again",
            file=str(path),
            problem=str(error),
        )
        return
    judges.set_password_hash(account.name, account.hashed)
    _log.info("judge's account imported from the card file", name=account.name)
    remove(DiskFiles(), path)


class Places(msgspec.Struct, frozen=True):
    """Paths of the system, by default those of the image.

    system: stored settings, owned by root.
    networkd, run: on a tmpfs.
    zone: the symlink of the time zone.
    """

    card: Path
    system: Path = Path("/data/system")
    station: Path = Path("/data/station")
    networkd: Path = Path("/run/systemd/network")
    run: Path = Path("/run/saloon-station")
    air: Path = Path("/run/saloon-air")
    zone: Path = Path("/etc/localtime")


def prepare(places: Places, card: CardFiles, theirs: Files, group: int | None = None) -> WrongFile | None:
    """Import the card file, if any, and write the system's files. Return the problem with the file.

    theirs: writes files as the station's user.
    group: the id of a group that may read the screen's data.

    Raises Unavailable; for a boot partition that cannot be read or wiped, only after everything else is done.
    """
    kept = read_stored_settings(places.system)
    problem: WrongFile | None = None
    trouble: Unavailable | None = None
    try:
        kept = _take_settings(places, card, theirs, kept) or kept
    except WrongFile as wrong:
        problem = wrong
    except Unavailable as error:
        # The hall needs its station and network anyway, so continue with the parts stored so far.
        kept, trouble = read_stored_settings(places.system), error
    if not kept.wifi.password:
        kept = settings_to_store(Card(), kept, secrets.token_bytes)
        _keep(card, places.system, kept)
    with disk_errors_as_unavailable(places.networkd):
        for name, text in network_files(kept.network).items():
            _write(places.networkd / name, text, 0o644)
    with disk_errors_as_unavailable(places.air):
        (places.air / "access-point.conf").unlink(missing_ok=True)
        if kept.wifi.access_point:
            _write(places.air / "access-point.conf", access_point_text(kept.wifi), 0o600)
    with disk_errors_as_unavailable(places.run):
        _write(places.run / "cables", arguments_of(kept.cables), 0o644)
        hall = msgspec.json.encode(hall_of(kept, problem)).decode()
        _write(places.run / HALL_FILE, hall, 0o640, group)
    _set_zone(places.zone, kept.hall.time_zone)
    if trouble is not None:
        raise trouble
    return problem


def _take_settings(
    places: Places, card: CardFiles, theirs: Files, former: StoredSettings
) -> StoredSettings | None:
    """Import the card file and wipe it. All parts are durable before it is wiped."""
    with disk_errors_as_unavailable(places.card):
        content = card.read(places.card)
    if content is None:
        return None
    kept = former
    if not content.startswith(GONE):
        settings = card_from(content)
        kept = settings_to_store(settings, former, secrets.token_bytes)
        if settings.judge is not None:
            leave_account(theirs, places.station, settings.judge.name, settings.judge.password)
        if key := settings.service.ssh_key:
            replace(card, places.system / _SSH, f"{key}\n".encode())
        else:
            remove(card, places.system / _SSH)
        _keep(card, places.system, kept)
    wipe(card, places.card, len(content))
    return kept


def _keep(files: Files, system: Path, kept: StoredSettings) -> None:
    replace(files, system / _KEPT, msgspec.json.encode(kept))


def read_stored_settings(system: Path) -> StoredSettings:
    """Return the stored settings, or the defaults if they are unreadable, as the station must start."""
    path = system / _KEPT
    with disk_errors_as_unavailable(path):
        content = path.read_bytes() if path.exists() else b"{}"
    try:
        return msgspec.json.decode(content, type=StoredSettings)
    except (msgspec.DecodeError, BadData):
        return StoredSettings()


def _write(path: Path, text: str, mode: int, group: int | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_in_memory(path, text.encode(), mode, group)


def _set_zone(link: Path, zone: str) -> None:
    """Set the system's time zone, UTC if none is given. An unknown zone changes nothing."""
    target = _ZONES / (zone or "Etc/UTC")
    with disk_errors_as_unavailable(link):
        if not target.is_file():
            return
        fresh = link.with_name(f"{link.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        fresh.replace(link)
