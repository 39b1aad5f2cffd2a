"""The languages that people can choose, by code, with their native names."""

from typing import Final

LANGUAGES: Final = {
    "en": "English",
    "it": "Italiano",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
}
