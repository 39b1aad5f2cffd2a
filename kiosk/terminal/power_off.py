"""Asks the system to switch the board off; it then ends the program like any other."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

REQUEST: Final = "power-off"
"""The file by which the terminal, which has no rights of its own, asks; the image watches for it."""


def power_off(environment: Mapping[str, str] = os.environ) -> None:
    """Ask the system. Raises OSError where nobody watches, or the request cannot be written."""
    folder = environment.get("RUNTIME_DIRECTORY", "")
    if not folder:
        raise FileNotFoundError("not started by the system: nobody would switch the board off")
    (Path(folder) / REQUEST).touch()
