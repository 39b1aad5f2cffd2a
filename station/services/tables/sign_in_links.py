"""The links with which the players of a table sign in by phone, and the organiser's choice of them."""

import hashlib
import hmac
import re
import secrets
from typing import Final

import msgspec

from saloon.base.errors import BadData
from saloon.core.terms import GameId
from saloon.station.store import settings as facts
from saloon.station.store.settings import Settings
from saloon.sync.enrolment.agreement import code_of, read_alike

PATH: Final = "/in/"
_LONGEST_ADDRESS: Final = 80
"""A longer one would make the code on a small glass hard to scan."""
_ADDRESS: Final = re.compile(r"https?://([0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\])(:[1-9][0-9]{0,4})?")


class SignInSettings(msgspec.Struct, frozen=True):
    """The organiser's choice. address: of the pages for phones; empty for the one that the station finds."""

    is_on: bool = True
    address: str = ""


class SignInLinks(msgspec.Struct, frozen=True):
    """The links of all games. pages: the address of the pages for phones; empty if nobody can sign in.

    secret: of the station, from which the tokens follow: all stations that share a database give the same.
    """

    pages: str = ""
    secret: bytes = b""

    def token(self, game: GameId) -> str:
        """Return the ten characters that nobody can guess for a game."""
        return code_of(hmac.digest(self.secret, f"sign-in/{game}".encode(), hashlib.sha256))

    def link(self, game: GameId) -> str:
        """Return the address at which a game's players sign in; empty if they can't."""
        return f"{self.pages}{PATH}{self.token(game)}" if self.pages else ""


def token_typed(text: str) -> str:
    """Return a token as it is compared, from an address that somebody may have typed."""
    return read_alike(text)


def read_secret(settings: Settings) -> bytes:
    """Return the secret of the tokens; create it the first time. Blocks."""
    found = settings.set_defaults({facts.SIGN_IN_SECRET: secrets.token_hex(32)})
    return bytes.fromhex(found[facts.SIGN_IN_SECRET])


def read_sign_in(settings: Settings) -> SignInSettings:
    """Return the organiser's choice. Blocks."""
    stored = settings.get(facts.SIGN_IN)
    return SignInSettings() if stored is None else msgspec.json.decode(stored, type=SignInSettings)


def keep_sign_in(settings: Settings, chosen: SignInSettings) -> None:
    """Store the organiser's choice. Blocks."""
    settings.set(facts.SIGN_IN, msgspec.json.encode(chosen).decode())


def checked_address(typed: str) -> str:
    """Return the typed address of the pages in its usual form; empty for none. Raises BadData."""
    text = typed.strip().rstrip("/")
    if not text:
        return ""
    if len(text) > _LONGEST_ADDRESS or not _ADDRESS.fullmatch(text):
        raise BadData(_("Address for phones"), _("write it as https://HOST or https://HOST:PORT"))
    return text


def _(text: str) -> str:
    return text
