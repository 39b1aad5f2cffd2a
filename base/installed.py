"""The libraries of a program: a computer may have only those of another one."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def explain_missing_library(program: str) -> Iterator[None]:
    """End the program with a sentence if an import inside finds a library missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in {"", "saloon"}:
            raise
        raise SystemExit(
            f"{program} isn't completely installed here: {library} is missing."
            " Install Saloon with all its libraries, or run this program on another computer."
        ) from None
