"""The settings that an appliance keeps: from its card file, or generated if missing there."""

from collections.abc import Callable
from typing import Final

import msgspec

from station.appliance.card import CablesPart, Card, CardWifi, CopiesPart, HallPart, NetworkPart
from station.appliance.hall import CardProblem, HallSettings, WifiShown
from station.appliance.network_files import wifi_address
from sync.enrolment.agreement import code_of
from sync.enrolment.provisioning_keys import WrongFile

_RANDOM: Final = 7
_SHORT: Final = 4


class StoredSettings(msgspec.Struct, frozen=True):
    """The part of the card file that is stored, without the judge's account and the SSH key."""

    hall: HallPart = HallPart()
    network: NetworkPart = NetworkPart()
    wifi: CardWifi = CardWifi()
    copies: CopiesPart = CopiesPart()
    cables: CablesPart = CablesPart()


def settings_to_store(card: Card, former: StoredSettings, chance: Callable[[int], bytes]) -> StoredSettings:
    """Return the part of a card file to store. ``former`` was stored before; its generated values are reused.

    ``chance`` returns random bytes. A generated password has ten characters (50 bits), which people can still
    type from a screen.
    """
    wifi = msgspec.structs.replace(
        card.wifi,
        name=card.wifi.name or former.wifi.name or f"Saloon-{code_of(chance(_RANDOM))[:_SHORT]}",
        password=card.wifi.password or former.wifi.password or code_of(chance(_RANDOM)).lower(),
    )
    return StoredSettings(card.hall, card.network, wifi, card.copies, card.cables)


def hall_of(kept: StoredSettings, problem: WrongFile | None) -> HallSettings:
    """Return the settings for screen and pages. A missing radio is noticed later, as drivers load slowly."""
    wifi = kept.wifi
    hall_wifi = WifiShown(wifi.name, wifi.password, str(wifi_address(kept.network).ip))
    return HallSettings(
        name=kept.hall.name,
        language=kept.hall.language,
        wifi=hall_wifi if wifi.access_point else None,
        copy_every_min=kept.copies.every_min,
        card=None if problem is None else problem_of(problem),
    )


def problem_of(wrong: WrongFile) -> CardProblem:
    """Return a card file's problem for the station's screen."""
    key = " ".join(filter(None, (f"[{wrong.section}]" if wrong.section else "", wrong.key)))
    return CardProblem(
        line=wrong.place.number,
        key=key,
        problem=wrong.fault.value,
        text=wrong.place.text,
        fields={name: str(value) for name, value in wrong.fields.items()},
    )


def arguments_of(cables: CablesPart) -> str:
    """Return the cables as options of ``serve``, for a systemd environment file."""
    words = [part for device in cables.serial for part in ("--serial", device)]
    words += [part for device in cables.bus for part in ("--bus", device)]
    return f"SALOON_CABLES={' '.join(words)}\n"
