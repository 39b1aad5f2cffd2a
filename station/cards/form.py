"""The form for the settings shared by all cards."""

from typing import Final

import msgspec

from base.errors import Refused
from station.sd_cards.card_files import CardSettings
from station.text.reasons import FormReason
from station.web.forms import Fields
from sync.enrolment.provisioning import ServicePart, TerminalPart, WifiPart
from sync.enrolment.provisioning_faults import WrongFile
from sync.enrolment.provisioning_keys import LEAST_INCHES, MOST_INCHES
from sync.ports.addresses import complete_address

USUAL_DEVICE: Final = "/dev/ttyUSB0"
"""The device name of a terminal's only USB adapter."""
_SHARED, _OWN = "shared", "own"


def read_settings(fields: Fields, before: CardSettings) -> CardSettings:
    """Return the entered settings. Raises Refused. before: its password is kept if none was entered."""
    rotation = fields.number("rotation")
    cable = fields.text("cable")
    terminal = TerminalPart(
        serial=(fields.text("device") or USUAL_DEVICE) if cable in {_OWN, _SHARED} else "",
        bus=cable == _SHARED,
        panel=fields.text("panel"),
        language=fields.text("language"),
        rotation=rotation or None,
        inches=_inches(fields.text("inches")),
    )
    addresses = tuple(map(complete_address, fields.raw("addresses").replace(",", " ").split()))
    return CardSettings(_wifi(fields, before), ServicePart(fields.text("ssh-key")), terminal, addresses)


def setting_refusal(error: WrongFile) -> Refused:
    """Return the refusal of a setting that terminals could not read, naming the form's field."""
    problem = error.fault.value.format(**error.fields) if error.fields else error.fault
    return Refused(FormReason.CARD_FIELD, field=f"[{error.section}] {error.key}", problem=problem)


def _wifi(fields: Fields, before: CardSettings) -> WifiPart | None:
    name = fields.raw("wifi-name").strip()
    if not name:
        return None
    kept = before.wifi.password if before.wifi is not None else ""
    is_open = fields.is_ticked("wifi-open")
    password = "" if is_open else fields.raw("wifi-password") or kept
    if not is_open and not password:
        raise Refused(FormReason.WIFI_IS_BARE)
    return WifiPart(name, password, fields.text("wifi-country").upper(), fields.is_ticked("wifi-hidden"))


def _inches(text: str) -> float | None:
    if not text:
        return None
    try:
        inches = float(text.replace(",", "."))
    except ValueError as error:
        raise Refused(FormReason.NO_NUMBER, text=text[:40]) from error
    if not LEAST_INCHES <= inches <= MOST_INCHES:
        raise Refused(FormReason.NUMBER_RANGE, number=text[:40], least=LEAST_INCHES, most=MOST_INCHES)
    return inches


def without_password(chosen: CardSettings) -> tuple[CardSettings, bool]:
    """Return the settings without the password, for pages, and whether there is one."""
    if chosen.wifi is None:
        return chosen, False
    shown = msgspec.structs.replace(chosen.wifi, password="")
    return msgspec.structs.replace(chosen, wifi=shown), bool(chosen.wifi.password)
