"""The interface for importing parcels: results that reach the station by code, file or stick."""

import enum

import msgspec

from saloon.core.terms import RoundNo, TableNo, TournamentId
from saloon.sync.protocol.entry import TerminalId


class Problem(enum.Enum):
    """Reasons for refusing a parcel; each sentence ends with the next step."""

    NO_PARCEL = "This is no code or file of a terminal."
    OTHER_VERSION = "This was made by another version of Saloon. Bring terminal and station to the same one."
    DAMAGED = "This is damaged. Photograph the code again, or copy the file again."
    NOT_SIGNED = (
        "The signature is not that of the terminal that it names. Take the code from the terminal itself; "
        "if that gives the same, enter the result from paper and set the terminal aside."
    )
    TOO_LARGE = "This is larger than anything a terminal makes. Choose another file."
    UNKNOWN_TERMINAL = (
        "Terminal {terminal} is not enrolled at this station. If it belongs to this tournament, enrol it and "
        "take this in again; otherwise enter the result from paper."
    )
    REVOKED = (
        "Terminal {terminal} was revoked. Enter the result from paper, or enrol the terminal again first."
    )
    GAP = (
        "Entries {first} to {last} of this terminal are missing here. Choose “Whole game” or the stick "
        "at the terminal, and take that in."
    )
    DISAGREES = (
        "The station holds other entries of this terminal under the same numbers: a cloned or restored card? "
        "Both are kept; compare the table with its paper, and enter the result from there."
    )
    UNKNOWN_GAME = (
        "This record sheet is of a game that was not drawn at this station. Is it of another tournament?"
    )
    NOT_SEATED = (
        "This terminal was never told to seat that game. Enter the result from paper if the table "
        "confirms it."
    )
    NO_PICTURE = "This is no picture that can be read (JPEG, PNG or WebP of at most {megapixels} megapixels)."
    TOO_MANY = "Only the first {count} files were looked at. Choose the others once more."
    NO_CODE = (
        "No code was found in this picture. Hold the phone straight before the screen, without a reflection, "
        "so that the whole code with its white edge is in it."
    )


class Outcome(enum.Enum):
    """The outcome of importing a parcel."""

    SHEET_ACCEPTED = "accepted"
    SHEET_KNOWN = "known"
    """The same result is accepted already; nothing is counted twice."""
    SHEET_CONTESTED = "contested"
    """Another result is accepted; both are kept."""
    SHEET_UNCONFIRMED = "unconfirmed"
    """No judge confirmed it at the terminal that has the game: a judge has to confirm it here."""
    ENTRIES_TAKEN = "taken"
    ENTRIES_KNOWN = "entries-known"
    """The station had all of the entries already."""


class ImportResult(msgspec.Struct, frozen=True):
    """The result of importing a parcel. new: entries the station did not have. first, last: of its entries.

    tournament, round, table: of its game; None if it contains no game.
    """

    outcome: Outcome
    terminal: TerminalId
    tournament: TournamentId | None = None
    round: RoundNo | None = None
    table: TableNo | None = None
    new: int = 0
    first: int = 0
    last: int = 0
