"""Explain a missing library, since a computer may have only those of another program."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_OURS: Final = frozenset({"", "base", "core", "demo", "hardware", "kiosk", "station", "sync"})


@contextmanager
def explain_missing_library(program: str) -> Iterator[None]:
    """Exit with an explanation if an import in the block finds a library missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in _OURS:
            raise
        raise SystemExit(
            f"{program} isn't completely installed here: {library} is missing."
            " Install Saloon with all its libraries, or run this program on another computer."
        ) from None
