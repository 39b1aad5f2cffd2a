"""Players' codes: the badge's code finds a seat, the private one opens the player's own results."""

import hashlib
import hmac
from collections.abc import Iterable

import msgspec

from core.terms import PlayerId, TournamentId
from core.tournament.state.tournament import TournamentState
from station.hall.station_context import StationContext
from sync.enrolment.agreement import code_of, read_alike

PATH = "/me/"


class KnownPlayer(msgspec.Struct, frozen=True):
    """A player of a tournament."""

    tournament: TournamentId
    player: PlayerId


class PlayerCodes:
    """The codes of all players. ``secret`` is the station's; stations that share it give the same codes."""

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

        ``replaced`` is how often they were replaced.
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


def codes_of(context: StationContext) -> PlayerCodes:
    """Return the codes of the station's players."""
    return PlayerCodes(context.secret)
