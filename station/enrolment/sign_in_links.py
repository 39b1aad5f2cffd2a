"""The links with which a table's players sign in by phone, and the organiser's settings for them."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from typing import Final

import msgspec

from base.errors import BadData
from core.terms import GameId
from station.store import settings as facts
from station.store.settings import Settings
from sync.enrolment.agreement import code_of, read_alike

PATH: Final = "/in/"
_LONGEST_ADDRESS: Final = 80
"""The longest address; with a longer one, the QR code would be hard to scan from a small display."""
_ADDRESS: Final = re.compile(r"https?://([0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\])(:[1-9][0-9]{0,4})?")


class SignInSettings(msgspec.Struct, frozen=True):
    """The organiser's settings. ``address`` is the address of the pages for phones, or empty to detect it."""

    is_on: bool = True
    address: str = ""


class SignInLinks(msgspec.Struct, frozen=True):
    """The sign-in links of all games.

    pages: address of the pages for phones, or empty if nobody can sign in by phone.
    secret: key of the tokens; stations on one database share it and give the same links.
    """

    pages: str = ""
    secret: bytes = b""

    def token(self, game: GameId) -> str:
        """Return a game's token: ten characters that nobody can guess."""
        return code_of(hmac.digest(self.secret, f"sign-in/{game}".encode(), hashlib.sha256))

    def link(self, game: GameId) -> str:
        """Return the address at which a game's players sign in, or an empty string if they can't."""
        return f"{self.pages}{PATH}{self.token(game)}" if self.pages else ""


def token_typed(text: str) -> str:
    return read_alike(text)


def read_secret(settings: Settings) -> bytes:
    """Return the secret of the tokens, creating it on first use. Blocks."""
    stored = settings.set_defaults({facts.SIGN_IN_SECRET: secrets.token_hex(32)})
    return bytes.fromhex(stored[facts.SIGN_IN_SECRET])


def read_sign_in(settings: Settings) -> SignInSettings:
    """Return the organiser's settings. Blocks."""
    return settings.read(facts.SIGN_IN, SignInSettings, "{}")


def keep_sign_in(settings: Settings, chosen: SignInSettings) -> None:
    """Store the organiser's settings. Blocks."""
    settings.set(facts.SIGN_IN, msgspec.json.encode(chosen).decode())


def checked_address(typed: str, allowed: Collection[str] | None = None) -> str:
    """Return a typed page address, normalised, or an empty string if none was typed.

    ``allowed`` lists the only acceptable addresses; None accepts any. Raises BadData.
    """
    text = typed.strip().rstrip("/")
    if not text:
        return ""
    if len(text) > _LONGEST_ADDRESS or not _ADDRESS.fullmatch(text):
        raise BadData(_("Address for phones"), _("write it as https://HOST or https://HOST:PORT"))
    if allowed is not None and text not in allowed:
        problem = _("Only a head judge can enter an address that isn't the station's own.")
        raise BadData(_("Address for phones"), problem)
    return text


def _(text: str) -> str:
    return text
