"""Restore a copy from a stick to an empty station at its next start.

The running station has its database open, so the copy is stored next to it and checked, then restored when
the station restarts, before the database is opened.
"""

from pathlib import Path
from typing import Final

import structlog

from base.errors import BadData
from base.whole_file import DiskFiles, disk_errors_as_unavailable, flush_folder, remove
from station.backups.backup import check, restore
from station.store.data_folder import DataFolder, write_secret_file

_log = structlog.get_logger()
_ASKED: Final = "restore-at-start.sqlite"


def ask_restore(folder: DataFolder, source: Path) -> None:
    """Request to restore a copy at the next start. Raises BadData for an invalid copy, Unavailable."""
    unchecked = folder.path / f"{_ASKED}.unchecked"
    with disk_errors_as_unavailable(source):
        content = source.read_bytes()
    write_secret_file(unchecked, content)
    try:
        check(unchecked)
    except BadData:
        remove(DiskFiles(), unchecked)
        raise
    with disk_errors_as_unavailable(folder.path):
        unchecked.replace(folder.path / _ASKED)
        flush_folder(folder.path)


def restore_if_asked(folder: DataFolder) -> bool:
    """Restore the requested copy, if any, and return whether there was one. The old database is kept.

    Safe to interrupt: it is repeated at the next start. Raises Unavailable.
    """
    copy = folder.path / _ASKED
    if not copy.exists():
        return False
    try:
        with folder.exclusive_lock():
            restored = restore(copy, folder.database, force=True)
    except BadData as error:
        _log.error("the copy is not restored", problem=str(error))
    else:
        aside = "" if restored.aside is None else restored.aside.name
        _log.warning("a copy was restored", database_before=aside, quarantined=len(restored.quarantined))
    remove(DiskFiles(), copy)
    return True
