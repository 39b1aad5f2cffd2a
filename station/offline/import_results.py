"""The interface for importing parcels: results that arrive by QR code, file or USB stick."""

import enum

import msgspec

from core.terms import RoundNo, TableNo, TournamentId
from station.text.i18n import LABELS
from sync.protocol.entry import TerminalId


class ParcelRefusal(enum.Enum):
    """The reasons for refusing a parcel; each sentence ends with the next step."""

    NO_PARCEL = "This isn't a code or file from a terminal. Try another one."
    OTHER_VERSION = (
        "This was made by a different version of Saloon. Update the terminal or the station so "
        "that both run the same version."
    )
    DAMAGED = "This is damaged. Photograph the code again, or copy the file again."
    NOT_SIGNED = (
        "The signature doesn't match the terminal it names. Take the code from the terminal "
        "itself; if that fails too, enter the result from paper and set the terminal aside."
    )
    TOO_LARGE = "This is too large to come from a terminal. Choose another file."
    UNKNOWN_TERMINAL = (
        "Terminal {terminal} isn't enrolled with this station. If it belongs to this tournament, "
        "enrol it and import this again; otherwise enter the result from paper."
    )
    REVOKED = (
        "Terminal {terminal} was revoked. Enter the result from paper, or enrol the terminal again first."
    )
    GAP = (
        "Entries {first} to {last} of this terminal are missing here. At the terminal, choose "
        "“Whole game” or the USB drive, then import that."
    )
    DISAGREES = (
        "The station has other entries from this terminal with the same numbers. Was its card "
        "cloned or restored? Both are kept. Check the table against its paper record, and enter "
        "the result from there."
    )
    UNKNOWN_GAME = (
        "This record sheet is for a game that wasn't drawn at this station. Is it from another tournament?"
    )
    NOT_SEATED = (
        "This terminal was never assigned that game. If the table confirms the result, enter it from paper."
    )
    NO_PICTURE = "This picture can't be read. Choose a JPEG, PNG or WebP of at most {megapixels} megapixels."
    TOO_MANY = "Only the first {count} files were read. Choose the others again."
    NO_CODE = (
        "No code was found in this picture. Hold the phone straight in front of the screen, "
        "avoid reflections, and get the whole code and its white edge in the picture."
    )


class ImportOutcome(enum.Enum):
    """The outcome of importing a parcel."""

    SHEET_ACCEPTED = "accepted"
    SHEET_KNOWN = "known"
    """The same result had been accepted already, and is not counted twice."""
    SHEET_CONTESTED = "contested"
    """Another result had been accepted; both are kept."""
    SHEET_UNCONFIRMED = "unconfirmed"
    """No judge confirmed the sheet at its terminal, so a judge has to confirm it here."""
    ENTRIES_TAKEN = "taken"
    ENTRIES_KNOWN = "entries-known"
    """The station had all of the entries already."""


def _(text: str) -> str:
    return text


LABELS.update(
    {
        ImportOutcome.SHEET_ACCEPTED: _("The record sheet has been imported."),
        ImportOutcome.SHEET_KNOWN: _("This record sheet had already been received. Nothing has changed."),
        ImportOutcome.SHEET_CONTESTED: _(
            "A different result has already been confirmed for this table. Both are kept: compare them on "
            "the table's page."
        ),
        ImportOutcome.SHEET_UNCONFIRMED: _("A judge still has to confirm this record sheet."),
        ImportOutcome.ENTRIES_KNOWN: _(
            "Entries {first} to {last} had all been received already. Nothing has changed."
        ),
    }
)


class ImportResult(msgspec.Struct, frozen=True):
    """The result of importing a parcel.

    new: number of new entries.
    first, last: numbers of its first and last entries.
    tournament, round, table: those of its game, or None if it contains no game.
    """

    outcome: ImportOutcome
    terminal: TerminalId
    tournament: TournamentId | None = None
    round: RoundNo | None = None
    table: TableNo | None = None
    new: int = 0
    first: int = 0
    last: int = 0
