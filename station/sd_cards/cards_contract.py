"""The interface between the cards page and the station. ``by`` is the judge's name from the session."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from saloon.core.terms import TableNo
from saloon.station.sd_cards.card_files import CardFile
from saloon.station.sd_cards.card_settings import CardSettings


class CardMade(msgspec.Struct, frozen=True):
    """A new provisioning file. mark: the short code that identifies its card. table: None for a spare."""

    table: TableNo | None
    mark: str
    toml: str


class Cards(Protocol):
    """The cards of new terminals. All methods may raise Unavailable."""

    def station_addresses(self) -> tuple[str, ...]:
        """Return the addresses at which terminals reach this station, ``host:port``."""

    async def settings(self) -> CardSettings:
        """Return the settings that all cards share."""

    async def keep(self, chosen: CardSettings, by: str) -> None:
        """Store the settings of all cards; raises ``WrongFile`` naming a key that no terminal could read."""

    async def made(self) -> tuple[CardFile, ...]:
        """Return all files that were ever made, the newest first."""

    async def make(
        self, tables: Sequence[TableNo | None], by: str, *, replaces: bool
    ) -> tuple[CardMade, ...]:
        """Create files, all or none; replaces: also withdraw unused ones for the same tables."""

    async def withdraw(self, key: str, by: str) -> None:
        """Withdraw an unused file; raises ``KeyError`` if it is used, withdrawn or unknown."""

    async def withdraw_all(self, by: str) -> int:
        """Withdraw all unused files; return their number."""

    def images(self) -> tuple[Path, ...]:
        """Return the paths of the terminal images that this station can serve."""
