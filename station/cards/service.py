"""Cards for new terminals: common settings, and provisioning files of many tables in a ZIP."""

import asyncio
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog

from base.errors import Refused
from core.terms import TableNo
from station.enrolment.enrolments import LAST_TABLE, check_table_number
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
from station.text.i18n import Words
from station.text.reasons import FormReason
from sync.enrolment.provisioning import StationPart

_log = structlog.get_logger()
MOST_SPARES: Final = 50
FILE: Final = "saloon.toml"
_LONGEST: Final = 4000
"""The most characters of a list of tables; every second table needs fewer."""


class Cards:
    """The cards of new terminals. Every method may raise Unavailable."""

    def __init__(self, context: StationContext, images: Path | None = None) -> None:
        self._context = context
        folder = context.parts.folder
        self._images = folder / "images" if images is None and folder is not None else images

    async def settings(self) -> CardSettings:
        return await asyncio.to_thread(card_settings, self._context.parts.settings)

    async def save_settings(self, chosen: CardSettings, by: str) -> None:
        """Store the settings of all cards. Raises WrongFile naming a key that terminals could not read."""
        parts = self._context.parts
        await asyncio.to_thread(keep_card_settings, parts.settings, chosen, parts.certificate)
        _log.info("card settings changed", by=by)

    async def list_files(self) -> tuple[CardFile, ...]:
        """Return all files ever issued, newest first."""
        return await asyncio.to_thread(self._context.parts.enrolments.files.list_files)

    async def make(
        self, tables: Sequence[TableNo | None], by: str, *, replaces: bool, is_floor: bool = True
    ) -> tuple[CardMade, ...]:
        """Create provisioning files, all or none. ``replaces`` withdraws unused files of the same tables."""
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
        """Withdraw all unused files, and return how many there were."""
        count = await asyncio.to_thread(self._context.parts.enrolments.files.withdraw_all)
        _log.info("all unused provisioning files withdrawn", count=count, by=by)
        return count

    def images(self) -> tuple[Path, ...]:
        """Return the paths of the terminal images that this station can serve."""
        return () if self._images is None else tuple(sorted(self._images.glob("saloon-terminal-*.img")))


def tables_of(text: str) -> tuple[TableNo, ...]:
    """Parse a list of tables such as ``1-8, 10`` into sorted table numbers. Raises Refused."""
    numbers: set[int] = set()
    if len(text) > _LONGEST:
        raise Refused(FormReason.NO_TABLES, text=text[:40], last=LAST_TABLE)
    for piece in text.replace("–", "-").split(","):
        first, dash, last = (side.strip() for side in piece.partition("-"))
        if not first and not dash:
            continue
        numbers.update(range(_number(first, text), _number(last if dash else first, text) + 1))
    return tuple(TableNo(number) for number in sorted(numbers))


def format_table_ranges(tables: tuple[TableNo, ...]) -> str:
    """Return the shortest text for these tables, such as ``1-8, 10``."""
    runs: list[list[int]] = []
    for table in tables:
        if runs and runs[-1][-1] == table - 1:
            runs[-1][1:] = [table]
        else:
            runs.append([table])
    return ", ".join("-".join(map(str, run)) for run in runs)


def _number(text: str, whole: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(LAST_TABLE)) else 0
    if not 1 <= number <= LAST_TABLE:
        raise Refused(FormReason.NO_TABLES, text=whole[:40], last=LAST_TABLE)
    return number


def zip_of(cards: Sequence[CardMade], when: str, words: Words) -> bytes:
    """Return a ZIP with a README and a folder for each card. ``when`` is the time shown in the README."""
    content = io.BytesIO()
    spares = 0
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _readme(cards, when, words).replace("\n", "\r\n"))
        for card in cards:
            spares += card.table is None
            archive.writestr(f"{folder_of(card.table, spares)}/{FILE}", card.toml)
    return content.getvalue()


def folder_of(table: TableNo | None, spare: int) -> str:
    """Return the name of a card's folder, by its table or, without one, by its number among the spares."""
    return f"spare-{spare}" if table is None else f"table-{table:02}"


def _readme(cards: Sequence[CardMade], when: str, words: Words) -> str:
    _ = words.gettext
    count = words.ngettext("{n} card", "{n} cards", len(cards)).format(n=len(cards))
    steps = (
        _("Write the terminal's image to each card. All cards get the same image."),
        _(
            "The card appears on the computer as SALOON. Copy the file saloon.toml from one "
            "table's folder onto it, keeping its name, next to the files already there. Then "
            "eject the card."
        ),
        _(
            "Stick the label with the table number on the card or the terminal. The station "
            "prints the labels."
        ),
        _(
            "Put the card into the terminal and switch it on. In about a minute it shows its "
            "table number, and the station's Terminals page shows it as connected."
        ),
    )
    notes = (
        _(
            "Each file enrols one terminal, once. Keep this folder to yourself, and delete it "
            "when all terminals are connected. If a card is lost before its first start, "
            "withdraw its file on the station's Cards page."
        ),
        _(
            "If a terminal can't use its file, it shows the line at fault. Fix it in any text "
            "editor, or make a new file for this table."
        ),
        _("If the computer hides file extensions, check that the file isn't called saloon.toml.txt."),
    )
    lines = [f"Saloon: {count}, {when}", ""]
    lines += [f"{number}. {step}\n" for number, step in enumerate(steps, 1)]
    lines += [f"{note}\n" for note in notes]
    spares = 0
    for card in cards:
        spares += card.table is None
        lines.append(f"{folder_of(card.table, spares)}/{FILE}  {card.mark}")
    return "\n".join(lines) + "\n"
