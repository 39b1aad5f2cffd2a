"""Move the provisioning file from the card's boot partition, which every computer can read, to safe places.

``saloon-terminal boot-file SOURCE TARGET --owner saloon --system FOLDER`` runs as root before the terminal,
whose user can't write to the boot partition. The terminal's part is written to TARGET, the system's part
(name, Wi-Fi and ssh key) to FOLDER, and then the file is wiped from the boot partition. An invalid file stays
where it is, and the terminal shows what is wrong with it.

The image's units read these files in ``/data/system``: the host name, the Wi-Fi network
(wpa_supplicant.conf(5)) and the keys allowed to log in by ssh (authorized_keys of OpenSSH).
"""

import hashlib
import pwd
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import msgspec

from base.errors import BadData, Unavailable
from base.terminal_text import echo
from base.whole_file import DiskFiles, Files, disk_errors_as_unavailable, remove, replace
from core.terms import TableNo
from sync.enrolment.provisioning import Provisioning, WifiPart, provisioning_from, text_of
from sync.terminal.station_record import GONE, CardFiles, DiskCard, wipe

HOSTNAME: Final = "hostname"
WIFI: Final = "wifi.conf"
SSH: Final = "authorized_keys"


def system_files(provisioning: Provisioning) -> Mapping[str, bytes | None]:
    """Return the content of each system file, or None for one to delete because it isn't configured."""
    key = provisioning.service.ssh_key
    return {
        HOSTNAME: f"{host_name(provisioning.terminal.table)}\n".encode(),
        WIFI: None if provisioning.wifi is None else wifi_text(provisioning.wifi).encode(),
        SSH: f"{key}\n".encode() if key else None,
    }


def host_name(table: int | TableNo | None) -> str:
    return "saloon-table" if table is None else f"saloon-table-{table:02}"


def wifi_text(wifi: WifiPart) -> str:
    """Return the wpa_supplicant configuration for one network.

    The network's name is hexadecimal, so that its characters need no escaping. A WPA password is printable
    ASCII and ends at the last quote of its line, so quotes within it need no escaping either.
    """
    lock = (
        ("key_mgmt=NONE",)
        if not wifi.password
        # WPA2 and WPA3, whichever the network supports.
        else ("key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE", f'psk="{wifi.password}"', "ieee80211w=1")
    )
    lines = (
        "ctrl_interface=/run/wpa_supplicant",
        *((f"country={wifi.country}",) if wifi.country else ()),
        "network={",
        f"    ssid={wifi.name.encode().hex()}",
        *(("    scan_ssid=1",) if wifi.hidden else ()),
        *(f"    {line}" for line in lock),
        "}",
    )
    return "\n".join(lines) + "\n"


@click.command("boot-file")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--owner", default="", help="The new owner of the file; by default the user who runs this.")
@click.option("--system", type=click.Path(path_type=Path), help="Folder for Wi-Fi, ssh key and name.")
def boot_file(source: Path, target: Path, owner: str, system: Path | None) -> None:
    """Move the parts of the provisioning file SOURCE to their places, even if the power fails."""
    try:
        theirs = DiskFiles(pwd.getpwnam(owner).pw_uid if owner else None)
        if system is not None:
            system.mkdir(mode=0o700, parents=True, exist_ok=True)
        if split_boot_file(DiskCard(), theirs, source, target, system):
            echo(f"{source} is taken")
    except (KeyError, BadData, Unavailable) as error:
        echo(f"boot file: {error}", err=True)
        sys.exit(2)


def split_boot_file(card: CardFiles, theirs: Files, source: Path, target: Path, system: Path | None) -> bool:
    """Split the file into its parts and wipe it. Return False if there was none.

    ``theirs`` writes files for the terminal's user. All parts are flushed to the card before the file is
    wiped, so that after a power cut the next run completes the work. Raises BadData for an invalid file, and
    Unavailable.
    """
    with disk_errors_as_unavailable(source):
        content = card.read(source)
    if content is None:
        return False
    if not content.startswith(GONE):
        provisioning = provisioning_from(content, str(source))
        if system is not None:
            _keep(card, system, system_files(provisioning))
        # Store the digest, so that a file that can't be wiped isn't imported again at the next start.
        origin = hashlib.sha256(content).hexdigest()
        terminal = msgspec.structs.replace(provisioning.terminal, taken_from=origin)
        own = msgspec.structs.replace(provisioning.without_system(), terminal=terminal)
        replace(theirs, target, text_of(own).encode())
    wipe(card, source, len(content))
    return not content.startswith(GONE)


def _keep(files: Files, folder: Path, contents: Mapping[str, bytes | None]) -> None:
    for name, content in contents.items():
        if content is None:
            remove(files, folder / name)
        else:
            replace(files, folder / name, content)
