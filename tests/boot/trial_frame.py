"""the kiosk's first picture, against the login prompt of the same base"""

import gzip
from typing import Final

from tests.boot.expected import NewTerminal
from tests.boot.machine import Machine
from tests.boot.pictures import is_empty
from tests.boot.site import BOOT_S, SIZE, Broken, Site

TOLD: Final = "systemd.log_target=kmsg systemd.log_level=info printk.devkmsg=on ignore_loglevel"
"""systemd says what it starts in the kernel's log, with the kernel's stamps."""
_READY: Final = r"Started .*saloon-terminal"
_PROMPT: Final = "systemd.mask=saloon-terminal.service"
_GETTY: Final = {
    "etc/systemd/system/getty.target.wants/getty@tty1.service": "",
    "etc/issue": "\\S \\n \\l\n",
}
_NO_GETTY: Final = ("etc/systemd/system/getty@.service", "etc/systemd/system/getty@tty1.service")
_MB: Final = 1e6


def run(site: Site) -> None:
    """Start once as a kiosk and once as a machine to log in to, and compare."""
    site.measure("image on the card", site.image.stat().st_size / _MB, "MB")
    frame = first_frame(site)
    prompt = login_prompt(site)
    site.measure("first frame", frame, "s")
    site.measure("login prompt of the same base", prompt, "s")
    site.measure("first frame against login prompt", 100 * frame / prompt, "%")
