"""This terminal's key and certificate, created by another process to save memory."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from sync.tls.certificates import own_identity

if TYPE_CHECKING:
    import subprocess


_NAME: Final = "Saloon terminal"
BEGINS_ANEW: Final = "begin-anew"
"""The file by which a judge requests that journal and key be archived at the next start."""
_PROGRAM: Final = (
    "import sys; from pathlib import Path; from sync.tls.certificates import own_identity; "
    "own_identity(Path(sys.argv[1]), sys.argv[2])"
)


def is_card_reset_requested(data: Path) -> bool:
    return (data / BEGINS_ANEW).exists()


class TerminalCertificate:
    """The key and certificate of this terminal. ``data`` is the folder of their files.

    If they are missing, a separate process starts at once to create them: the library takes 9 MB,
    which would stay in memory all day, and some seconds, in which this process can load everything else.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        self._creation: subprocess.Popen[bytes] | None = None
        self._create()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def files(self) -> tuple[Path, Path]:
        """Return the paths of key and certificate. Raises OSError if the folder can't hold them."""
        self.close()
        # Create them again if the terminal has just started over.
        self._create()
        self.close()
        # If that failed, try here, so that an error explains why.
        return own_identity(self._data, _NAME)

    def close(self) -> None:
        """Wait for the other process."""
        if self._creation is not None:
            self._creation.wait()
            self._creation = None

    def _create(self) -> None:
        # Archive first if a judge wants it, as a new key would be archived with the old data.
        if (self._data / "key.pem").exists() or is_card_reset_requested(self._data):
            return
        import subprocess

        self._creation = subprocess.Popen(  # noqa: S603 (our own program)
            (sys.executable, "-P", "-c", _PROGRAM, str(self._data), _NAME),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
