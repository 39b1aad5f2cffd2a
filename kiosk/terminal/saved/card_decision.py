"""The judge's decision about a doubtful card; the next start carries it out.

Beginning again, for a copy of another terminal's card or a card that was put back from an old copy: two
journals under one name disagree for ever. Journal and key are set aside whole, and the terminal enrols
like one from the shop. Going on here, for a card that was moved from a broken board. Nothing is deleted.
"""

import contextlib
from pathlib import Path

import structlog

from saloon.base.whole_file import write_whole
from saloon.kiosk.terminal.saved.identity import BEGINS_ANEW, is_card_reset_requested

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
    """Note that the next start begins again. Raises OSError."""
    number = 1 + sum(1 for _ in data.glob("aside-*"))
    write_whole(data / BEGINS_ANEW, f"aside-{number}".encode())


def reset_card_if_requested(data: Path) -> Path | None:
    """Set journal, key and enrolment aside if the judge asked for it; the folder where they are now.

    Before the journal is opened. Cut in the middle, it goes on where it was. Raises OSError.
    """
    if not is_card_reset_requested(data):
        return None
    asked = data / BEGINS_ANEW
    aside = data / asked.read_text(encoding="ascii")
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in _SET_ASIDE:
        with contextlib.suppress(FileNotFoundError):
            (data / name).rename(aside / name)
    asked.unlink()
    _log.warning("begun anew; journal and key are set aside", kept=str(aside))
    return aside


def accept_board_change(data: Path) -> None:
    """Note that the card was moved to this board. Raises OSError."""
    write_whole(data / _MOVED, b"yes")


def is_board_change_accepted(data: Path) -> bool:
    """Return whether the judge decided that the card belongs to this board from now on."""
    return (data / _MOVED).exists()


def clear_board_change(data: Path) -> None:
    """Forget the decision once the journal has noted its board; another board asks again. Raises OSError."""
    (data / _MOVED).unlink(missing_ok=True)
