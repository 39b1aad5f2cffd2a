"""The words for an audience; each room has its own translation catalogue."""

from collections.abc import Callable
from typing import Protocol


class Words(Protocol):
    """The translations of one language."""

    @property
    def gettext(self) -> Callable[[str], str]:
        """The function that translates a sentence."""

    @property
    def ngettext(self) -> Callable[[str, str, int], str]:
        """The function that translates a sentence for a number."""
