"""The languages that people can choose, by code, each in its own words."""

from typing import Final

LANGUAGES: Final = {
    "en": "English",
    "it": "Italiano",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
}
