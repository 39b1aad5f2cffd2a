"""The preferences chosen at this terminal, and the texts that follow from them."""

from collections.abc import Callable
from pathlib import Path

from base.languages import LANGUAGES
from base.state_file import StateFile
from kiosk.i18n import Words
from kiosk.preferences import Preferences, preferences_bytes, preferences_of

_NAME = "preferences.json"


class PreferenceFile(StateFile[Preferences]):
    """A file in the data folder; if it is missing or invalid, the defaults apply."""

    def __init__(self, data: Path) -> None:
        path = data / _NAME
        super().__init__(path, "preferences", lambda raw: preferences_of(raw, str(path)), preferences_bytes)

    def read(self) -> Preferences:
        return super().read() or Preferences()


class Choices:
    """The current preferences.

    language: the default one.
    before: preferences saved earlier.

    ``keep`` is called with all new preferences.
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
        self.words = Words(self._language())

    def prefer(self, preferences: Preferences) -> None:
        """Replace the preferences and save them."""
        self.preferences = preferences
        self._keep(preferences)
        if self._language() != self.words.language:
            self.words = Words(self._language())

    @property
    def volume(self) -> int:
        """The volume of the buzzer in percent, or 0 if muted."""
        return 0 if self.preferences.muted else self.preferences.volume

    def _language(self) -> str:
        chosen = self.preferences.language
        return chosen if chosen in LANGUAGES else self._usual
