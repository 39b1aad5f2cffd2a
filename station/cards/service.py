"""The cards of new terminals: their common settings and provisioning files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import structlog

from core.terms import TableNo
from station.enrolment.enrolments import check_table_number
from station.hall.station_context import StationContext
from station.sd_cards.card_files import (
    CardFile,
    CardMade,
    CardSettings,
    card_settings,
    card_text,
    keep_card_settings,
    mark_of,
)
from sync.enrolment.provisioning import StationPart

_log = structlog.get_logger()


class Cards:
    """The cards of new terminals. All methods may raise Unavailable."""

    def __init__(self, context: StationContext, images: Path | None = None) -> None:
        self._context = context
        folder = context.parts.folder
        self._images = folder / "images" if images is None and folder is not None else images

    def station_addresses(self) -> tuple[str, ...]:
        """Return the addresses at which terminals can reach this station, ``host:port``."""
        return self._context.addresses

    async def settings(self) -> CardSettings:
        """Return the settings that all cards share."""
        return await asyncio.to_thread(card_settings, self._context.parts.settings)

    async def save_settings(self, chosen: CardSettings, by: str) -> None:
        """Store the settings of all cards. Raises WrongFile naming a key that terminals could not read."""
        parts = self._context.parts
        await asyncio.to_thread(keep_card_settings, parts.settings, chosen, parts.certificate)
        _log.info("what cards say was changed", by=by)

    async def list_files(self) -> tuple[CardFile, ...]:
        """Return all files ever issued, newest first."""
        return await asyncio.to_thread(self._context.parts.enrolments.files.list_files)

    async def make(
        self, tables: Sequence[TableNo | None], by: str, *, replaces: bool, is_floor: bool = True
    ) -> tuple[CardMade, ...]:
        """Create files, all or none.

        ``replaces`` withdraws unused ones for the same tables. ``is_floor`` means that ``by`` is a floor or
        head judge.
        """
        checked = [check_table_number(table) for table in tables]
        chosen = await self.settings()
        files = self._context.parts.enrolments.files
        words = await asyncio.to_thread(files.make, checked, replaces=replaces, by=by, trusted=is_floor)
        station = StationPart(certificate=self._context.parts.certificate, addresses=self._context.addresses)
        _log.info("provisioning files made", tables=checked, by=by)
        return tuple(
            CardMade(table, mark_of(word), card_text(chosen, station, table, word))
            for table, word in zip(checked, words, strict=True)
        )

    async def withdraw(self, key: str, by: str) -> None:
        """Withdraw an unused file. Raises KeyError if it is used, withdrawn or unknown."""
        await asyncio.to_thread(self._context.parts.enrolments.files.withdraw, key)
        _log.info("provisioning file withdrawn", mark=key[:6], by=by)

    async def withdraw_all(self, by: str) -> int:
        """Withdraw all unused files; return their number."""
        count = await asyncio.to_thread(self._context.parts.enrolments.files.withdraw_all)
        _log.info("all unused provisioning files withdrawn", count=count, by=by)
        return count

    def images(self) -> tuple[Path, ...]:
        """Return the paths of the terminal images that this station can serve."""
        return () if self._images is None else tuple(sorted(self._images.glob("saloon-terminal-*.img")))
