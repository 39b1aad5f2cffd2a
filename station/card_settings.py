"""What the provisioning files of all cards say alike: Wi-Fi, panel, language and who may repair them."""

import msgspec

from saloon.core.errors import BadData
from saloon.core.terms import TableNo
from saloon.station.settings import Settings
from saloon.sync.provisioning import (
    Provisioning,
    ServicePart,
    StationPart,
    TerminalPart,
    WifiPart,
    provisioning_of,
    text_of,
)

_FACT = "card-settings"


class CardSettings(msgspec.Struct, frozen=True):
    """As in a provisioning file. addresses: of the station; its own ones where there are none.

    terminal: without table and token.
    """

    wifi: WifiPart | None = None
    service: ServicePart = ServicePart()
    terminal: TerminalPart = TerminalPart()
    addresses: tuple[str, ...] = ()


def card_settings(settings: Settings) -> CardSettings:
    """What was chosen last; as they come for none. Raises BadData where the database holds nonsense."""
    known = settings.get(_FACT)
    try:
        return CardSettings() if known is None else msgspec.json.decode(known, type=CardSettings)
    except msgspec.DecodeError as error:
        raise BadData(_FACT, str(error)) from error


def keep_card_settings(settings: Settings, chosen: CardSettings, certificate: str) -> None:
    """Remember them, with all else that is secret. Raises WrongFile for what no terminal could read."""
    provisioning_of(card_text(chosen, StationPart(certificate), None, ""), "saloon.toml")
    settings.set(_FACT, msgspec.json.encode(chosen).decode())


def card_text(chosen: CardSettings, station: StationPart, table: TableNo | None, token: str) -> str:
    """The provisioning file of one card. station: with its own addresses."""
    terminal = msgspec.structs.replace(chosen.terminal, table=table, token=token)
    if chosen.addresses:
        station = msgspec.structs.replace(station, addresses=chosen.addresses)
    return text_of(Provisioning(station, terminal, chosen.wifi, chosen.service))
