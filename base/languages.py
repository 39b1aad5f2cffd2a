"""The languages that people can choose, by code, each in its own words."""

from typing import Final

TERMINAL_LANGUAGES: Final = {
    "en": "English",
    "it": "Italiano",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
}
"""Those of terminals; the ones that are not complete are English in places."""
STATION_LANGUAGES: Final = {"en": "English", "it": "Italiano"}
"""Those of the station's pages and of its own screen."""
