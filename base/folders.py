"""The default folder of a program's data, by the system's conventions."""

from pathlib import Path
from typing import Final

from base.errors import BadData

_FORMER: Final = {"station": "station-data", "terminal": "saloon-terminal"}
"""The former defaults, in the current folder."""


def default_folder(use: str) -> Path:
    """Return the default folder of a station or a terminal, such as ``~/.local/share/saloon/station``.

    use: ``station`` or ``terminal``. Raises BadData if the current folder contains the data of an older
    version, which would otherwise seem to be lost.
    """
    # Imported here: a terminal started with --data need not load this library.
    from platformdirs import user_data_path

    folder = user_data_path("saloon", appauthor=False) / use
    former = Path(_FORMER[use])
    if former.is_dir() and not folder.exists():
        raise BadData(
            "--data",
            f"{former} in this folder has data of an older version: choose it with --data {former}, "
            f"or move it to {folder}, which is the default now",
        )
    return folder
