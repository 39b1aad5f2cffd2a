"""Findings about a terminal and its connection, as sentences for an organiser.

A member's value is the English sentence with fields in braces, which is also the translation key.
The terminal's screen and both doctors show the same sentences.
"""

import enum

from base.errors import PeerFault, SaloonError, Unavailable
from sync.protocol.messages import CloseCause, TurnedAway


class Finding(enum.Enum):
    """A finding of a check or of an attempt to connect."""

    FINE = "The station answers."
    NO_WAY = "No station address is known. Type one, or add the station's provisioning file."

    NO_DEVICE = "No cable found at {device}. Plug it in; if it's already in, try another port."
    NO_PERMISSION = "This program isn't allowed to use {device}: its user isn't in the group {group}."
    PORT_BUSY = "Another program is using {device}; only one can at a time."
    CABLE_FREE = "Nothing else is using {device}."
    CABLE_SILENT = (
        "The cable is plugged in here, but nothing answers. Is the station running, and is the "
        "cable plugged in there too?"
    )
    OTHER_SPEED = "The other end answers, but at a different speed: set {baud}."
    NOISE = (
        "The other end answers, but {share} per cent of the data arrives damaged. Try another cable, or "
        "keep it away from power cables."
    )
    ECHO = (
        "The terminal only hears itself: its own wires are joined together. Try another cable, "
        "or swap two wires."
    )
    TWO_STATIONS = (
        "Two stations are on this shared cable and disturb each other. Unplug one of the two; nothing is "
        "lost."
    )

    NO_ROUTE = "There's no route from here to {address}. Is the Wi-Fi on, or the network cable plugged in?"
    NO_STATION = "The computer at {address} responds, but no station is running on it."
    NAME_UNKNOWN = "Nothing on this network is called {host}. Type the address as numbers."
    NO_ANSWER = "No answer from {address}. Is the station on, and on the same network?"
    SILENT = "The station at {address} accepts the connection but then doesn't respond. Restart it."

    NOT_ENROLLED = (
        "The station answers, but doesn't accept this terminal: it was never enrolled there, or "
        "a judge refused it. Enrol it again at the station."
    )
    WRONG_STATION = "A different station answers at {address}, not the one this terminal belongs to."
    NO_SALOON = "The program at {address} isn't a Saloon station."
    LINK_WELL = "The connection is good."
    WENT_AWAY = (
        "The terminal is disconnected: switched off, unplugged, or out of Wi-Fi range. Its Connection page "
        "shows what it can reach."
    )
    NEVER_HEARD = (
        "No contact with the terminal since the station started. Is the terminal on, and is this its station?"
    )

    HALL_HEARD = "One of our stations is announcing itself in this hall at {address}."
    HALL_SILENT = "No station is announcing itself in this hall, so you'll need its address."

    RUNNING_CONNECTED = "The terminal is running and connected: {way}."
    RUNNING_ALONE = "The terminal is running and looking for its station."
    NOT_RUNNING = "The terminal isn't running."
    NOT_PROVISIONED = "This terminal has never been enrolled. Add the station's provisioning file."

    JOURNAL_WHOLE = "The journal is intact: {entries} entries, {owes} of them not received."
    JOURNAL_NONE = "There's no journal yet; it's created at the first start."
    JOURNAL_DAMAGED = (
        "The journal is damaged. Replace the card, keep the old one, and contact the maintainer."
    )
    DISK_FINE = "The card is writable; {free} MB free."
    DISK_FULL = "The card is almost full: {free} MB free. Remove old files, or use a larger card."
    DISK_READ_ONLY = "The card can't be written to any more. Copy what's on it, then use another card."
    CLOCK_FINE = "The clock looks right."
    CLOCK_OFF = (
        "The clock shows {year}, which can't be right. Play can go on; only the times in the "
        "story will be wrong."
    )

    DATABASE_VERIFIED = "Nobody between this computer and the database can read the traffic."
    DATABASE_EXPOSED = (
        "Anyone between this computer and the database at {host} could read the traffic, "
        "including the station's key. Add ?sslmode=verify-full to the database address."
    )

    STATION_REFUSES = (
        "The station ended the connection. Wait a minute; if it isn't back by then, restart the terminal."
    )

    @classmethod
    def _missing_(cls, _value: object) -> "Finding":
        """Map a sentence from another version's status file to RUNNING_ALONE."""
        return cls.RUNNING_ALONE


class NotReached(Unavailable):
    """A route doesn't lead to a station at the moment, because of ``finding`` with its ``fields``."""

    def __init__(self, finding: Finding, detail: str, **fields: str | int) -> None:
        self.finding = finding
        self.fields = fields
        super().__init__(detail)


_NOT_ACCEPTED = frozenset({CloseCause.REVOKED, CloseCause.TOKEN, CloseCause.REFUSED})
_BY_TLS = (
    ("CERTIFICATE_VERIFY_FAILED", Finding.WRONG_STATION),
    ("ALERT_UNKNOWN_CA", Finding.NOT_ENROLLED),
    ("ALERT_BAD_CERTIFICATE", Finding.NOT_ENROLLED),
    ("ALERT_CERTIFICATE", Finding.NOT_ENROLLED),
    ("ALERT_DECRYPT_ERROR", Finding.NOT_ENROLLED),
    ("TLS: ", Finding.NO_SALOON),
)


def finding_of(error: SaloonError, address: str) -> tuple[Finding, dict[str, str | int]]:
    """Return the finding that explains an error, with its fields. ``address`` is where the error occurred."""
    if isinstance(error, NotReached):
        return error.finding, {"address": address, **error.fields}
    if isinstance(error, TurnedAway) and error.cause in _NOT_ACCEPTED:
        return Finding.NOT_ENROLLED, {"address": address}
    if isinstance(error, PeerFault):
        for sign, finding in _BY_TLS:
            if sign in str(error):
                return finding, {"address": address}
        return Finding.STATION_REFUSES, {"address": address}
    return Finding.NO_ANSWER, {"address": address}
