"""The words for an audience; each room has its own catalogue."""

from collections.abc import Callable
from typing import Protocol


class Words(Protocol):
    """All words in one language."""

    @property
    def gettext(self) -> Callable[[str], str]:
        """A sentence, translated."""

    @property
    def ngettext(self) -> Callable[[str, str, int], str]:
        """A sentence for one or for several, translated."""
