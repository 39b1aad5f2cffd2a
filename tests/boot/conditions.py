"""Files that a trial lays over a root in memory, by an archive behind the initramfs: no image is changed.

The kernel unpacks both archives. The step from the initramfs to the root goes by a script that puts the
trial's files in place first: they lie in the overlay, and are gone with the power.
"""

from collections.abc import Mapping
from typing import Final

from image.recipe.card.cpio import archive, file

_STEP: Final = """\
#!/bin/busybox sh
/bin/busybox cp -a /trial/. "$1/"
if [ -e /trial-tools ]; then /bin/busybox cp /bin/busybox "$1/usr/local/bin/busybox"; fi
for name in $(/bin/busybox cat /trial-without); do
    /bin/busybox rm -f "$1/$name"
done
exec /bin/busybox switch_root "$@"
"""
_ALIGNED: Final = 512
SLOW: Final = {
    "etc/systemd/system/saloon-terminal.service.d/slow.conf": (
        "[Service]\nWatchdogSec=20\nTimeoutStartSec=300\nTimeoutAbortSec=5\n"
    ),
    "etc/systemd/system/saloon-provision.service.d/slow.conf": "[Service]\nTimeoutStartSec=300\n",
    "etc/systemd/system/saloon-station-prepare.service.d/slow.conf": "[Service]\nTimeoutStartSec=900\n",
    "etc/systemd/system/saloon-station.service.d/slow.conf": (
        "[Service]\nTimeoutStartSec=900\nWatchdogSec=400\nTimeoutAbortSec=50\n"
    ),
    "etc/systemd/system/saloon-station-screen.service.d/slow.conf": "[Service]\nWatchdogSec=600\n",
    "etc/systemd/system/saloon-stick@.service.d/slow.conf": "[Service]\nTimeoutStartSec=150\n",
    "etc/systemd/system/saloon-update-trial.service.d/slow.conf": (
        "[Service]\nEnvironment=DRAW_S=600 REACH_S=900\n"
    ),
    "etc/systemd/system/dev-disk-by\\x2dlabel-SALOON.device.d/slow.conf": (
        "[Unit]\nJobRunningTimeoutSec=300\n"
    ),
    "etc/systemd/system/dev-disk-by\\x2dlabel-saloon\\x2ddata.device.d/slow.conf": (
        "[Unit]\nJobRunningTimeoutSec=300\n"
    ),
}
"""An emulated board on a busy machine stands still for seconds: what waits for it waits ten times as long."""


def laid_over(
    initrd: bytes,
    files: Mapping[str, str],
    without: tuple[str, ...] = (),
    *,
    tools: bool = False,
    reads_ahead: bool = True,
) -> bytes:
    """An initramfs and behind it these files for the root.

    without: paths that the root is not to have. tools: the initramfs's busybox goes to ``/usr/local/bin``.
    reads_ahead: what the terminal needs is read early, as in the image.
    """
    entries = {f"trial/{name}": file(content.encode()) for name, content in files.items()}
    entries["trial-without"] = file("\n".join(without).encode())
    if tools:
        entries["trial-tools"] = file(b"")
    if not reads_ahead:
        entries["ahead"] = file(b"")
    entries["bin/switch_root"] = file(_STEP.encode(), executable=True)
    return initrd + b"\0" * (-len(initrd) % _ALIGNED) + archive(entries)
