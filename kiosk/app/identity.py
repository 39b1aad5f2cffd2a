"""The key and the certificate of this terminal, made the first time without making the terminal larger."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from saloon.sync.certificates import own_identity

_NAME: Final = "Saloon terminal"
_MINTING: Final = (
    "import sys; from pathlib import Path; from saloon.sync.certificates import own_identity; "
    "own_identity(Path(sys.argv[1]), sys.argv[2])"
)


def identity_in(data: Path) -> tuple[Path, Path]:
    """The files of key and certificate. Raises OSError where the folder cannot hold them.

    They are minted by a program beside this one: the library that mints takes 9 MB, which a terminal
    that plays all day on the day of its first start would keep.
    """
    if not (data / "key.pem").exists():
        # Should it fail, then here again, by an error that says why.
        subprocess.run(  # noqa: S603 (our own program)
            (sys.executable, "-c", _MINTING, str(data), _NAME), check=False, capture_output=True
        )
    return own_identity(data, _NAME)
