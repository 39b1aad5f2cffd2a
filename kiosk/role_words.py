"""Roles in the players' language."""

from saloon.core.game.setup.roles import Role
from saloon.kiosk.i18n import Words


def role_name(words: Words, role: Role) -> str:
    """Return a role in the players' language."""
    _ = words.gettext
    match role:
        case Role.SHERIFF:
            return _("Sheriff")
        case Role.DEPUTY:
            return _("Deputy")
        case Role.OUTLAW:
            return _("Outlaw")
        case Role.RENEGADE:
            return _("Renegade")
        case Role.REBEL:
            return _("Rebel!")
