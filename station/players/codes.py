"""The codes on badges and in private results, and the players to whom they belong."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from core.terms import PlayerId, TournamentId
from core.tournament.state.tournament import TournamentState
from station.hall.station_context import StationContext
from sync.enrolment.agreement import code_of, read_alike

PATH: Final = "/me/"
"""The address of players' own pages; the code of a badge follows."""


_BEFORE_CODE: Final = re.compile(r"\Wme\W", re.IGNORECASE)
"""The address before a badge's code; some keyboard layouts type another character for a slash."""
_LAYOUTS: Final[tuple[dict[int, int], ...]] = (
    {},
    str.maketrans("zyZY", "yzYZ"),  # QWERTZ
    str.maketrans("&é\"'(-è_çàqawzQAWZ,?!", "1234567890aqzwAQZWmM/"),  # AZERTY
)
"""The characters that a scanner set to an American keyboard types elsewhere."""


class KnownPlayer(msgspec.Struct, frozen=True):
    """The player to whom a code belongs."""

    tournament: TournamentId
    player: PlayerId


class PlayerCodes:
    """The codes of all players, derived from a secret that all stations of a database share."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._players: dict[str, KnownPlayer] = {}
        self._codes: dict[KnownPlayer, str] = {}

    def badge(self, tournament: TournamentId, player: PlayerId) -> str:
        """Return the ten characters on a player's badge."""
        known = KnownPlayer(tournament, player)
        code = self._codes.get(known)
        if code is None:
            code = code_of(hmac.digest(self._secret, f"badge/{tournament}/{player}".encode(), hashlib.sha256))
            self._codes[known] = code
            self._players[code] = known
        return code

    def private(self, tournament: TournamentId, player: PlayerId, replaced: int) -> str:
        """Return the ten characters that open a player's own results.

        replaced: how often the code was replaced.
        """
        named = f"private/{tournament}/{player}/{replaced}".encode()
        return code_of(hmac.digest(self._secret, named, hashlib.sha256))

    def find(self, typed: str, tournaments: Iterable[TournamentState]) -> KnownPlayer | None:
        """Return the player with this code, as scanned or typed, or None for a wrong one."""
        code = read_alike(typed)
        if code in self._players:
            return self._players[code]
        for state in tournaments:
            for entrant in state.entrants:
                self.badge(state.tournament, entrant.player)
        return self._players.get(code)

    def find_scanned(self, typed: str, tournaments: Sequence[TournamentState]) -> KnownPlayer | None:
        """Return the player whose code, or badge's address, a scanner has typed on any keyboard layout."""
        for layout in _LAYOUTS:
            code = _BEFORE_CODE.split(typed.translate(layout))[-1].strip("/-!? ")
            known = self.find(code, tournaments)
            if known is not None:
                return known
        return None


def codes_of(context: StationContext) -> PlayerCodes:
    return PlayerCodes(context.secret)
