"""Following chains of hashes through a file in which any byte may have changed."""

from saloon.core.entry_chain import GENESIS, chained_hash


class Follower:
    """Follows one chain. An altered link is named once: the next may build on either hash of it."""

    def __init__(self) -> None:
        self._stored = self._computed = GENESIS

    def follows(self, raw: bytes, stored: bytes | None) -> bool:
        """Whether the next link's bytes give the hash that stands there; None where none can be read."""
        allowed = {chained_hash(self._stored, raw), chained_hash(self._computed, raw)}
        self._computed = chained_hash(self._stored, raw)
        if stored in allowed:
            self._computed = stored
        self._stored = self._computed if stored is None else stored
        return stored in allowed

    def skips_to(self, stored: bytes) -> None:
        """Go on after links that are not in the file."""
        self._stored = self._computed = stored
