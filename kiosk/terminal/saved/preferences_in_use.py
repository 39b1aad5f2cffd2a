"""The preferences chosen at this terminal, and the words that follow from them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import structlog

from saloon.base.errors import BadData
from saloon.base.languages import TERMINAL_LANGUAGES
from saloon.base.whole_file import write_whole
from saloon.kiosk.i18n import Words
from saloon.kiosk.preferences import Preferences, preferences_bytes, preferences_of

_log = structlog.get_logger()
_NAME = "preferences.json"


class PreferenceFile:
    """The file in the folder of a terminal's data.

    One that is missing, unreadable or wrong never keeps a table from playing: it is logged, and the
    terminal goes on with what it came with.
    """

    def __init__(self, data: Path) -> None:
        self._path = data / _NAME
        self._writer = ThreadPoolExecutor(1, "preferences")

    def read(self) -> Preferences:
        """Return the preferences saved before."""
        try:
            return preferences_of(self._path.read_bytes(), str(self._path))
        except FileNotFoundError:
            return Preferences()
        except (OSError, BadData) as error:
            _log.warning("preferences are left out", problem=str(error))
            return Preferences()

    def keep(self, preferences: Preferences) -> None:
        """Write them soon, on another thread; the last ones count."""
        self._writer.submit(self._write, preferences)

    def close(self) -> None:
        """Write what waits, and end the thread."""
        self._writer.shutdown(wait=True)

    def _write(self, preferences: Preferences) -> None:
        try:
            write_whole(self._path, preferences_bytes(preferences))
        except OSError as error:
            _log.warning("preferences were not written", problem=str(error))


class Choices:
    """The choices of now. language: spoken where nobody chose one. before: chosen before.

    keep: called with every new choice.
    """

    def __init__(
        self,
        language: str,
        before: Preferences = Preferences(),  # noqa: B008 (a constant)
        keep: Callable[[Preferences], None] = lambda _preferences: None,
    ) -> None:
        self._usual = language
        self._keep = keep
        self.preferences = before
        self.words = Words(self._spoken())

    def prefer(self, preferences: Preferences) -> None:
        """Replace the preferences and save them."""
        self.preferences = preferences
        self._keep(preferences)
        if self._spoken() != self.words.language:
            self.words = Words(self._spoken())

    @property
    def volume(self) -> int:
        """The volume of the buzzer, in percent; 0 while it is muted."""
        return 0 if self.preferences.muted else self.preferences.volume

    def _spoken(self) -> str:
        chosen = self.preferences.language
        return chosen if chosen in TERMINAL_LANGUAGES else self._usual
