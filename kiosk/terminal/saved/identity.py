"""The key and the certificate of this terminal, made the first time without making the terminal larger."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from saloon.sync.enrolment.certificates import own_identity

if TYPE_CHECKING:
    import subprocess

_NAME: Final = "Saloon terminal"
BEGINS_ANEW: Final = "begin-anew"
"""The file by which a judge's wish waits for the next start that journal and key be set aside."""
_MINTING: Final = (
    "import sys; from pathlib import Path; from saloon.sync.enrolment.certificates import own_identity; "
    "own_identity(Path(sys.argv[1]), sys.argv[2])"
)


def is_card_reset_requested(data: Path) -> bool:
    """Return whether journal and key are to be set aside before anything else."""
    return (data / BEGINS_ANEW).exists()


class Identity:
    """The name, key and certificate of this terminal. data: the folder of its files.

    They are minted by a program beside this one, which begins at once: the library that mints takes 9 MB,
    which a terminal that plays all day on the day of its first start would keep, and seconds that the
    loading of everything else takes as well.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        self._minting: subprocess.Popen[bytes] | None = None
        self._mint()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def files(self) -> tuple[Path, Path]:
        """Return the paths of key and certificate. Raises OSError if the folder cannot hold them."""
        self.close()
        # Again for a terminal that has begun again meanwhile.
        self._mint()
        self.close()
        # Should that have failed, then here, by an error that says why.
        return own_identity(self._data, _NAME)

    def close(self) -> None:
        """Wait for what was begun."""
        if self._minting is not None:
            self._minting.wait()
            self._minting = None

    def _mint(self) -> None:
        # What a judge wants set aside is set aside first: a key that is made meanwhile would go along.
        if (self._data / "key.pem").exists() or is_card_reset_requested(self._data):
            return
        import subprocess

        self._minting = subprocess.Popen(  # noqa: S603 (our own program)
            (sys.executable, "-c", _MINTING, str(self._data), _NAME),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
