"""The preferences chosen at this terminal, and the words that follow from them."""

from collections.abc import Callable
from pathlib import Path

from saloon.base.languages import LANGUAGES
from saloon.base.state_file import StateFile
from saloon.kiosk.i18n import Words
from saloon.kiosk.preferences import Preferences, preferences_bytes, preferences_of

_NAME = "preferences.json"


class PreferenceFile(StateFile[Preferences]):
    """The file in the folder of a terminal's data; one that is missing or wrong leaves the defaults."""

    def __init__(self, data: Path) -> None:
        path = data / _NAME
        super().__init__(path, "preferences", lambda raw: preferences_of(raw, str(path)), preferences_bytes)

    def read(self) -> Preferences:
        """Return the preferences saved before."""
        return super().read() or Preferences()


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
        self.words = Words(self._language())

    def prefer(self, preferences: Preferences) -> None:
        """Replace the preferences and save them."""
        self.preferences = preferences
        self._keep(preferences)
        if self._language() != self.words.language:
            self.words = Words(self._language())

    @property
    def volume(self) -> int:
        """The volume of the buzzer, in percent; 0 while it is muted."""
        return 0 if self.preferences.muted else self.preferences.volume

    def _language(self) -> str:
        chosen = self.preferences.language
        return chosen if chosen in LANGUAGES else self._usual
