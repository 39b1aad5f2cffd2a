"""Install a downloaded update as root, at the terminal's request; it runs on trial from the next start.

In ``saloon-terminal apply-update REQUEST``, the request contains the digest of the download, which lies in a
folder that the terminal can write to. Nothing in that folder is trusted: the payload is copied to a file of
root's while its digest is computed, and only a signed header determines which digest is right. If the
terminal withdraws the request meanwhile, nothing is installed. The exit status is 0 if there is a new version
to start.
"""

import contextlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import click
import structlog

from base.errors import BadData, SaloonError, Unavailable
from base.terminal_text import echo
from base.whole_file import disk_errors_as_unavailable, flush_folder, write_whole
from sync.update.bundle import LONGEST_HEAD, Manifest, is_newer, read_head
from sync.update.bundle_file import read_payload
from sync.update.messages import UpdateReason
from sync.update.place import HEAD, PART, SPARE, UpdateFolders

_log = structlog.get_logger()
_NAME: Final = re.compile(r"[0-9a-f]{64}")
_READABLE: Final = 0o644


class UpdateRejected(SaloonError):
    """The update must not be installed. ``reason`` is reported to the station."""

    def __init__(self, reason: UpdateReason, detail: str) -> None:
        self.reason = reason
        super().__init__(f"{reason.value}: {detail}")


@click.command("apply-update")
@click.argument("request", type=click.Path(path_type=Path))
@click.option("--system-root", default=Path("/"), hidden=True, type=click.Path(path_type=Path))
def apply_update(request: Path, system_root: Path) -> None:
    """Install the version named in the file REQUEST; it runs from the program's next start."""
    try:
        is_done = try_version(UpdateFolders(system_root), request)
    except (BadData, Unavailable) as error:
        echo(f"apply-update: {error}", err=True)
        sys.exit(2)
    sys.exit(0 if is_done else 1)


def try_version(place: UpdateFolders, request: Path) -> bool:
    """Install an update for trial at the next start. If it is rejected, record the reason and return False.

    Raises BadData if the request names no version, and Unavailable if the card can't be written.
    """
    name = _read(request, 100).decode("ascii", "replace").strip()
    if not _NAME.fullmatch(name):
        raise BadData(str(request), "it names no version")
    try:
        _put_in_place(place, name)
    except UpdateRejected as error:
        _log.error("an update was rejected", problem=str(error))
        _note_refused(place, name, error.reason)
        return False
    if not request.exists():
        _log.warning("a game was seated meanwhile; the update has to wait")
        return False
    with disk_errors_as_unavailable(place.updates):
        _write(place.updates / "trial", f"{name} 0")
        (place.updates / "refused" / name).unlink(missing_ok=True)  # this is another attempt
    for ending in (HEAD, PART):
        (place.incoming / (name + ending)).unlink(missing_ok=True)
    return True


def _put_in_place(place: UpdateFolders, name: str) -> None:
    head = _read(place.incoming / (name + HEAD), LONGEST_HEAD + 1)
    manifest = _verify(place, head, name)
    target = place.updates / f"{name}.squashfs"
    try:
        with disk_errors_as_unavailable(target), _open_plain_file(place.incoming / (name + PART)) as source:
            if shutil.disk_usage(place.updates).free < manifest.payload + SPARE // 2:
                raise UpdateRejected(UpdateReason.NO_ROOM, f"{manifest.payload} bytes are needed")
            write_whole(target, read_payload(source, manifest, "what was fetched"))
            target.chmod(_READABLE)
    except BadData as error:
        with contextlib.suppress(OSError):
            target.with_name(f"{target.name}.new").unlink(missing_ok=True)
        raise UpdateRejected(UpdateReason.DAMAGED, str(error)) from error


def _note_refused(place: UpdateFolders, name: str, reason: UpdateReason) -> None:
    """Record why a version was rejected, so that it isn't tried again unless space was missing."""
    with disk_errors_as_unavailable(place.updates):
        (place.updates / "refused").mkdir(exist_ok=True)
        _write(place.updates / "refused" / name, reason.value)


def _verify(place: UpdateFolders, head: bytes, name: str) -> Manifest:
    key, own = place.key(), place.about()
    if key is None or not own.base:
        raise UpdateRejected(UpdateReason.NO_IMAGE, "this image has no release key or no base")
    try:
        manifest = read_head(head, key, "what was fetched").manifest
    except BadData as error:
        raise UpdateRejected(UpdateReason.NOT_SIGNED, str(error)) from error
    if manifest.name != name:
        raise UpdateRejected(UpdateReason.NOT_SIGNED, "the header belongs to another version")
    about = manifest.about
    if (about.architecture, about.base) != (own.architecture, own.base):
        raise UpdateRejected(UpdateReason.OTHER_BOARD, f"it is for {about.architecture} on {about.base}")
    if not is_newer(about, own):
        raise UpdateRejected(UpdateReason.NOT_NEWER, f"{about.name} is not newer than {own.name}")
    return manifest


@contextlib.contextmanager
def _open_plain_file(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file in an untrusted folder. Raises Unavailable for links, devices and pipes."""
    with disk_errors_as_unavailable(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unavailable(f"{path}: not a regular file")
        yield file


def _read(path: Path, most: int) -> bytes:
    with _open_plain_file(path) as file:
        return file.read(most)


def _write(path: Path, text: str) -> None:
    """Replace a file atomically and make it readable for the terminal. Raises OSError."""
    write_whole(path, f"{text}\n".encode("ascii"))
    path.chmod(_READABLE)
    flush_folder(path.parent)
