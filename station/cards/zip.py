"""Provisioning files for many tables: parse the requested tables, and make a ZIP with a folder for each."""

import io
import zipfile
from collections.abc import Sequence
from typing import Final

from base.errors import Refused
from core.terms import TableNo
from station.enrolment.enrolments import LAST_TABLE
from station.sd_cards.card_files import CardMade
from station.text.i18n import Words
from station.text.reasons import FormReason

MOST_SPARES: Final = 50
_LONGEST: Final = 4000
"""The most characters, more than listing every second table needs."""


def tables_of(text: str) -> tuple[TableNo, ...]:
    """Return the distinct table numbers in order. Raises Refused for anything else."""
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


FILE: Final = "saloon.toml"
_DIGITS: Final = 2


def zip_of(cards: Sequence[CardMade], when: str, words: Words) -> bytes:
    """Return the whole ZIP. ``when`` is the time of creation, for people."""
    content = io.BytesIO()
    spares = 0
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _readme(cards, when, words).replace("\n", "\r\n"))
        for card in cards:
            spares += card.table is None
            archive.writestr(f"{folder_of(card.table, spares)}/{FILE}", card.toml)
    return content.getvalue()


def folder_of(table: TableNo | None, spare: int) -> str:
    """Return the name of a card's folder.

    ``spare`` is the number of the spare, from 1, if there is no table.
    """
    return f"spare-{spare}" if table is None else f"table-{table:0{_DIGITS}}"


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
