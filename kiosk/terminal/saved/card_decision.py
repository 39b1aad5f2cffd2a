"""The judge's decision about a questionable memory card, carried out at the next start.

Starting over is for a copied card or an old backup, as two journals with the same name contradict each other:
journal and key are moved to an archive, and the terminal enrols as if new. Continuing is for a card moved
from a broken board. Nothing is deleted.
"""

import contextlib
from pathlib import Path

import structlog

from base.whole_file import write_whole
from kiosk.terminal.saved.identity import BEGINS_ANEW, is_card_reset_requested

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
    """Request to start over at the next start. Raises OSError."""
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
    """Record that the card was moved to this board. Raises OSError."""
    write_whole(data / _MOVED, b"yes")


def is_board_change_accepted(data: Path) -> bool:
    """Return whether the judge has decided that the card belongs to this board now."""
    return (data / _MOVED).exists()


def clear_board_change(data: Path) -> None:
    """Delete the decision once the journal contains the new board's id. Raises OSError."""
    (data / _MOVED).unlink(missing_ok=True)
