"""Roles in the players' language."""

from saloon.core.game.in_words import ROLE_NAMES
from saloon.core.game.setup.roles import Role
from saloon.kiosk.i18n import Words


def role_name(words: Words, role: Role) -> str:
    """Return a role in the players' language."""
    return words.gettext(ROLE_NAMES[role])
