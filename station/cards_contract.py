"""What the page of the cards may ask of the station. ``by`` is the judge's name from the session."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from saloon.core.terms import TableNo
from saloon.station.card_files import CardFile
from saloon.station.card_settings import CardSettings


class CardMade(msgspec.Struct, frozen=True):
    """A new provisioning file. mark: tells its card from others. table: None for a spare."""

    table: TableNo | None
    mark: str
    toml: str


class Cards(Protocol):
    """The cards of new terminals. All methods may raise Unavailable."""

    def station_addresses(self) -> tuple[str, ...]:
        """Where terminals find this station, ``host:port``."""

    async def settings(self) -> CardSettings:
        """What all cards say alike."""

    async def keep(self, chosen: CardSettings, by: str) -> None:
        """Remember it; raises ``WrongFile`` naming the key that no terminal could read."""

    async def made(self) -> tuple[CardFile, ...]:
        """The files that were ever made, the newest first."""

    async def make(
        self, tables: Sequence[TableNo | None], by: str, *, replaces: bool
    ) -> tuple[CardMade, ...]:
        """New files, all or none; replaces: unused ones for the same tables are withdrawn."""

    async def withdraw(self, key: str, by: str) -> None:
        """An unused file lets nobody in any more; raises ``KeyError`` where it is used or gone."""

    async def withdraw_all(self, by: str) -> int:
        """The same for all unused files; how many there were."""

    def images(self) -> tuple[Path, ...]:
        """The terminals' images that this station can hand out."""
