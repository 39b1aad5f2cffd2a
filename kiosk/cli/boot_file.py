"""Takes the provisioning file from the card's boot partition, which every computer can read.

``saloon-terminal boot-file SOURCE TARGET --owner saloon --system FOLDER`` runs as root before the
terminal, which runs as somebody who may not write the boot partition. The terminal's part goes to TARGET,
the system's part (name, Wi-Fi, ssh key) to FOLDER, and then nothing of it is left on the boot partition.
A wrong file stays where it is, and the terminal explains it.

The image's units read them in ``/data/system``: the name of the board, the Wi-Fi (wpa_supplicant.conf(5))
and who may come by ssh (authorized_keys of OpenSSH).
"""

import hashlib
import pwd
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import msgspec

from saloon.base.errors import BadData, Unavailable
from saloon.base.terminal_text import echo
from saloon.base.whole_file import DiskFiles, Files, disk_errors_as_unavailable, remove, replace
from saloon.core.terms import TableNo
from saloon.sync.enrolment.provisioning import Provisioning, WifiPart, provisioning_from, text_of
from saloon.sync.terminal.card_file import GONE, CardFiles, DiskCard, wipe

HOSTNAME: Final = "hostname"
WIFI: Final = "wifi.conf"
SSH: Final = "authorized_keys"


def system_files(given: Provisioning) -> Mapping[str, bytes | None]:
    """Return the content of each file; None for one that must not exist: the last file decides."""
    key = given.service.ssh_key
    return {
        HOSTNAME: f"{host_name(given.terminal.table)}\n".encode(),
        WIFI: None if given.wifi is None else wifi_text(given.wifi).encode(),
        SSH: f"{key}\n".encode() if key else None,
    }


def host_name(table: int | TableNo | None) -> str:
    """Return the board's name in the network."""
    return "saloon-table" if table is None else f"saloon-table-{table:02}"


def wifi_text(wifi: WifiPart) -> str:
    """Return the configuration of wpa_supplicant for one network.

    The name is written in hexadecimal digits, so that no sign of it means anything. A password is printable
    ASCII, as WPA has it, and ends at the last quote of its line: quotes in it are plain characters there.
    """
    lock = (
        ("key_mgmt=NONE",)
        if not wifi.password
        # WPA2 and WPA3, whichever the radio and the hall have.
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
    """Split SOURCE into its parts; after a power cut it is whole in one place."""
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
    """Split the file; return whether there was one. theirs: how the terminal's own file is written.

    All parts are durable before the file is wiped, so that a cut at any point repeats or ends it.
    Raises BadData for a wrong file, and Unavailable.
    """
    with disk_errors_as_unavailable(source):
        content = card.read(source)
    if content is None:
        return False
    if not content.startswith(GONE):
        given = provisioning_from(content, str(source))
        if system is not None:
            _keep(card, system, system_files(given))
        # Where it came from goes along: a file that cannot be wiped is still taken over once.
        origin = hashlib.sha256(content).hexdigest()
        terminal = msgspec.structs.replace(given.terminal, taken_from=origin)
        own = msgspec.structs.replace(given.without_system(), terminal=terminal)
        replace(theirs, target, text_of(own).encode())
    wipe(card, source, len(content))
    return not content.startswith(GONE)


def _keep(files: Files, folder: Path, contents: Mapping[str, bytes | None]) -> None:
    for name, content in contents.items():
        if content is None:
            remove(files, folder / name)
        else:
            replace(files, folder / name, content)
