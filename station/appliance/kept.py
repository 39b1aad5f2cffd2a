"""What a station's computer keeps of its card's file, and makes up where the file says nothing. Pure."""

from collections.abc import Callable
from typing import Final

import msgspec

from saloon.station.appliance.card import CablesPart, Card, CopiesPart, HallPart, NetworkPart, WifiPart
from saloon.station.appliance.hall import CardProblem, Hall, WifiShown
from saloon.station.appliance.network_files import air_of
from saloon.sync.enrolment.join_code import code_of
from saloon.sync.provisioning_faults import WrongFile

_RANDOM: Final = 7
_SHORT: Final = 4


class Kept(msgspec.Struct, frozen=True):
    """The card's file without its secrets of people: the judge's account is the station's, the key ssh's."""

    hall: HallPart = HallPart()
    network: NetworkPart = NetworkPart()
    wifi: WifiPart = WifiPart()
    copies: CopiesPart = CopiesPart()
    cables: CablesPart = CablesPart()


def kept_of(card: Card, former: Kept, chance: Callable[[int], bytes]) -> Kept:
    """What to keep of a card's file. former: kept before; a name or password made up then stays.

    chance: random bytes. A password of ten characters (50 bits) is as long as people type from a screen.
    """
    wifi = msgspec.structs.replace(
        card.wifi,
        name=card.wifi.name or former.wifi.name or f"Saloon-{code_of(chance(_RANDOM))[:_SHORT]}",
        password=card.wifi.password or former.wifi.password or code_of(chance(_RANDOM)).lower(),
    )
    return Kept(card.hall, card.network, wifi, card.copies, card.cables)


def hall_of(kept: Kept, problem: WrongFile | None) -> Hall:
    """What own screen and pages are told. Whether there is a radio is seen later: drivers take their time."""
    wifi = kept.wifi
    shown = WifiShown(wifi.name, wifi.password, str(air_of(kept.network).ip))
    return Hall(
        name=kept.hall.name,
        language=kept.hall.language,
        wifi=shown if wifi.access_point else None,
        copy_every_min=kept.copies.every_min,
        card=None if problem is None else problem_of(problem),
    )


def problem_of(wrong: WrongFile) -> CardProblem:
    """What is wrong with a file, for the own screen."""
    key = " ".join(filter(None, (f"[{wrong.section}]" if wrong.section else "", wrong.key)))
    return CardProblem(
        line=wrong.place.number,
        key=key,
        problem=wrong.fault.value,
        text=wrong.place.text,
        fields={name: str(value) for name, value in wrong.fields.items()},
    )


def arguments_of(cables: CablesPart) -> str:
    """What ``serve`` is told of cables, as a line of an environment file of systemd."""
    words = [part for device in cables.serial for part in ("--serial", device)]
    words += [part for device in cables.bus for part in ("--bus", device)]
    return f"SALOON_CABLES={' '.join(words)}\n"
