"""Faults of a provisioning file: the line, the key, and the values allowed there.

They are read at the terminal, or at any computer with the card in it.
"""

import enum

from saloon.base.errors import BadData
from saloon.sync.enrolment.redacted_lines import FileLine


class Fault(enum.Enum):
    """A fault, or the values allowed for a key, with fields in braces; also the key for translation."""

    NO_TEXT = "this isn't plain UTF-8 text"
    TOO_LONG = "this is too long for a provisioning file"
    NO_TOML = "not valid TOML: is a quotation mark, bracket or equals sign missing?"
    CURLY = "this line has curly quotation marks; use straight ones"

    MISSING = "this is missing"
    NO_SECTION = "unknown section"
    NO_SECTION_BUT = "unknown section; did you mean [{meant}]?"
    NO_KEY = "unknown key"
    NO_KEY_BUT = "unknown key; did you mean {meant}?"
    ELSEWHERE = "this key belongs below the line [{home}]"
    SECTION = "write [{home}] on a line of its own, with its keys below"

    ONE_OF = "one of {choices}"
    NUMBER = "a number from {least} to {most}"
    SWITCH = "true or false"
    TEXT = "text in straight quotation marks"
    PANEL = "one of {choices}, or the path to your own file, such as /var/lib/saloon/panel.toml"
    ADDRESSES = "a list of addresses, each one host:port in straight quotation marks"
    CERTIFICATE = "the station's certificate, exactly as its page gives it"
    WIFI_NAME = "the name of the network, 1 to 32 bytes"
    WIFI_PASSWORD = "8 to 63 English letters, digits and symbols; empty for an open network"  # noqa: S105 (a sentence)
    COUNTRY = "two capital letters, such as IT"
    PUBLIC_KEY = "one line of an OpenSSH public key, such as ssh-ed25519 AAAA… name"
    PRIVATE_KEY = "this is a private key: keep it to yourself, and use the line from the file ending in .pub"

    ZONE = "a time zone, such as Europe/Rome"
    PASSWORD = "a password of at least 8 characters"  # noqa: S105 (a sentence)
    NETWORK = "a private address with its prefix length, from 8 to 30, such as 10.73.0.1/24"
    DEVICES = "a list of devices in straight quotation marks, such as /dev/ttyUSB0"
    CHANNEL = "a channel from 1 to 11, or 36, 40, 44 or 48 if country is set"


class WrongFile(BadData):
    """A provisioning file that cannot be used.

    place: the line, if it is one. section, key: what is wrong there; empty for the whole line or file. fault,
    fields: the fault and its fields.
    """

    def __init__(
        self,
        where: str,
        place: FileLine,
        fault: Fault,
        *,
        section: str = "",
        key: str = "",
        **fields: str | int,
    ) -> None:
        self.place = place
        self.section = section
        self.key = key
        self.fault = fault
        self.fields = fields
        wrote = key if fault is Fault.MISSING else place.text or key
        line = f"line {place.number}: " if place.number else ""
        said = " ".join(filter(None, (f"[{section}]" if section else "", wrote)))
        super().__init__(where, f"{line}{said}{': ' if said else ''}{fault.value.format(**fields)}")
