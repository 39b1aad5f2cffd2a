"""Faults between a terminal and its station, in sentences for an organiser.

The value of a member is the English sentence with its fields in braces; it is also the key for
translation at the edge. The terminal's screen and both doctors show the same words.
"""

import enum

from saloon.base.errors import PeerFault, SaloonError, Unavailable


class Finding(enum.Enum):
    """A finding about the connection to the station."""

    FINE = "The station answers."
    NO_WAY = "No address of a station is known. Type one, or put in the provisioning file of the station."

    NO_DEVICE = "There is no cable at {device}. Plug it in; if it is in, try another socket."
    NO_PERMISSION = "This program may not use {device}: its user is not in the group {group}."
    PORT_BUSY = "Another program uses {device}; only one can."
    CABLE_FREE = "Nobody uses {device} now."
    CABLE_SILENT = "The cable is in, and nobody answers. Does the station run? Is its end of the cable in?"
    OTHER_SPEED = "The cable answers, but at another speed: set {baud}."
    NOISE = (
        "The cable answers, but {share} percent of what comes is damaged. Take another cable, or lay it "
        "away from power lines."
    )
    ECHO = "The terminal hears only itself: its own wires are joined. Take another cable, or swap two wires."

    NO_ROUTE = "From here no network leads to {address}. Is the Wi-Fi on, or the network cable in?"
    NO_STATION = "The computer at {address} is there, but no station runs on it."
    NAME_UNKNOWN = "Nobody in this network is called {host}. Type the address in numbers."
    NO_ANSWER = "Nobody answers at {address}. Is the station on, and in the same network?"
    SILENT = "Somebody at {address} takes the call and then says nothing. Start the station again."

    NOT_ENROLLED = (
        "The station answers, but does not accept this terminal: it was never enrolled there, or was "
        "refused by a judge. Enrol it again at the station."
    )
    WRONG_STATION = "Another station answers at {address}, not the one that this terminal belongs to."
    NO_SALOON = "What answers at {address} is no station of Saloon."
    LINK_WELL = "The link is well."
    WENT_AWAY = (
        "The terminal is away: switched off, its cable pulled, or out of the Wi-Fi. Its page “Connection” "
        "says what it sees from there."
    )
    NEVER_HEARD = "The terminal was not heard since the station started. Is it on, and is this its station?"

    HALL_HEARD = "In this hall a station of ours calls itself out at {address}."
    HALL_SILENT = "In this hall no station calls itself out; its address has to be known."

    RUNNING_CONNECTED = "The terminal runs and is connected: {way}."
    RUNNING_ALONE = "The terminal runs and looks for its station."
    NOT_RUNNING = "The terminal does not run now."
    NOT_PROVISIONED = "This terminal was never enrolled. Put in the provisioning file of the station."

    JOURNAL_WHOLE = "The journal is whole: {entries} entries, {owes} of them not received."
    JOURNAL_NONE = "There is no journal yet; it is made at the first start."
    JOURNAL_DAMAGED = "The journal is damaged. Keep the card, swap it, and call the maintainer."
    DISK_FINE = "The card can be written; {free} MB are free."
    DISK_FULL = "The card is almost full: {free} MB are free. Remove old files, or take a larger card."
    DISK_READ_ONLY = "The card cannot be written any more. Copy what is on it and take another card."
    CLOCK_FINE = "The clock is plausible."
    CLOCK_OFF = "The clock says {year}, which cannot be. Play goes on; only times in the story are wrong."

    DATABASE_VERIFIED = "Nobody between this computer and the database can read what passes."
    DATABASE_EXPOSED = (
        "Anybody between this computer and the database at {host} could read what passes, the station's key "
        "too. Add ?sslmode=verify-full to the database's address."
    )

    STATION_REFUSES = "The station ends the talk: {reason}."


class NotReached(Unavailable):
    """An error: a route does not lead to the station now. finding, fields: the reason, for people."""

    def __init__(self, finding: Finding, detail: str, **fields: str | int) -> None:
        self.finding = finding
        self.fields = fields
        super().__init__(detail)


_BY_TLS = (
    ("CERTIFICATE_VERIFY_FAILED", Finding.WRONG_STATION),
    ("ALERT_UNKNOWN_CA", Finding.NOT_ENROLLED),
    ("ALERT_BAD_CERTIFICATE", Finding.NOT_ENROLLED),
    ("ALERT_CERTIFICATE", Finding.NOT_ENROLLED),
    ("ALERT_DECRYPT_ERROR", Finding.NOT_ENROLLED),
    ("TLS: ", Finding.NO_SALOON),
)


def found_in(error: SaloonError, address: str) -> tuple[Finding, dict[str, str | int]]:
    """Return the finding that explains an error to people, with its fields. address: of the route."""
    if isinstance(error, NotReached):
        return error.finding, {"address": address, **error.fields}
    if isinstance(error, PeerFault):
        for sign, finding in _BY_TLS:
            if sign in str(error):
                return finding, {"address": address}
        return Finding.STATION_REFUSES, {"reason": str(error)}
    return Finding.NO_ANSWER, {"address": address}
