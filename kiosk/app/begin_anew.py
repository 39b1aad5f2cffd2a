"""Beginning anew: journal and key are set aside whole, and the terminal enrols like one from the shop.

For a copy of another terminal's card, or a card that was put back from an old copy: two journals under
one name disagree for ever. Nothing is deleted.
"""

import contextlib
from pathlib import Path

import structlog

from saloon.sync.whole_file import write_whole

_log = structlog.get_logger()
_ASKED = "begin-anew"
_SET_ASIDE = (
    "journal.db",
    "journal.db-wal",
    "journal.db-shm",
    "key.pem",
    "certificate.pem",
    "enrolled",
    "provisioning.toml",
)


def ask_to_begin_anew(data: Path) -> None:
    """Note that the next start begins anew. Raises OSError."""
    number = 1 + sum(1 for _ in data.glob("aside-*"))
    write_whole(data / _ASKED, f"aside-{number}".encode())


def begin_anew_if_asked(data: Path) -> Path | None:
    """Set journal, key and enrolment aside if the judge asked for it; the folder where they are now.

    Before the journal is opened. Cut in the middle, it goes on where it was. Raises OSError.
    """
    asked = data / _ASKED
    if not asked.exists():
        return None
    aside = data / asked.read_text(encoding="ascii")
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in _SET_ASIDE:
        with contextlib.suppress(FileNotFoundError):
            (data / name).rename(aside / name)
    asked.unlink()
    _log.warning("begun anew; journal and key are set aside", kept=str(aside))
    return aside
