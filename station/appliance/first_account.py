"""Pass the judge's account from a card's file to the station's database, the password only as a hash."""

from pathlib import Path
from typing import Final

import msgspec
import structlog

from saloon.base.whole_file import DiskFiles, Files, disk_errors_as_unavailable, remove, replace
from saloon.station.accounts.judges import Judges, hash_password

_log = structlog.get_logger()
_FILE: Final = "judge-of-the-card.json"


class _Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    hashed: str


def leave_account(files: Files, folder: Path, name: str, password: str) -> None:
    """Leave an account for the station, its password as a hash. Raises Unavailable, BadData."""
    replace(files, folder / _FILE, msgspec.json.encode(_Account(name, hash_password(password))))


def take_account(folder: Path, judges: Judges) -> None:
    """Add the account that was left, or give the account of this name the new password.

    After a power cut at any point it is repeated at the next start. An unreadable file is kept, and reported
    at every start until a new one replaces it. Raises Unavailable, BadData for a damaged database.
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
            "the account of the card's file cannot be read: put the file on the card again",
            file=str(path),
            problem=str(error),
        )
        return
    judges.set_password_hash(account.name, account.hashed)
    _log.info("a judge's account comes from the card's file", name=account.name)
    remove(DiskFiles(), path)
