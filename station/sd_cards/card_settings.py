"""Settings shared by the provisioning files of all cards: Wi-Fi, panel, language and service access."""

import msgspec

from saloon.base.errors import BadData
from saloon.core.terms import TableNo
from saloon.station.store.settings import Settings
from saloon.sync.enrolment.provisioning import (
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
    """Settings as in a provisioning file. addresses: of the station; empty for those it finds itself.

    terminal: without table and token.
    """

    wifi: WifiPart | None = None
    service: ServicePart = ServicePart()
    terminal: TerminalPart = TerminalPart()
    addresses: tuple[str, ...] = ()


def card_settings(settings: Settings) -> CardSettings:
    """Return the stored card settings, or the defaults. Raises BadData if the stored value is damaged."""
    known = settings.get(_FACT)
    try:
        return CardSettings() if known is None else msgspec.json.decode(known, type=CardSettings)
    except msgspec.DecodeError as error:
        raise BadData(_FACT, str(error)) from error


def keep_card_settings(settings: Settings, chosen: CardSettings, certificate: str) -> None:
    """Store card settings. Raises WrongFile for settings that no terminal could read."""
    provisioning_of(card_text(chosen, StationPart(certificate), None, ""), "saloon.toml")
    settings.set(_FACT, msgspec.json.encode(chosen).decode())


def card_text(chosen: CardSettings, station: StationPart, table: TableNo | None, token: str) -> str:
    """Return the provisioning file of one card. station: with the addresses that it found itself."""
    terminal = msgspec.structs.replace(chosen.terminal, table=table, token=token)
    if chosen.addresses:
        station = msgspec.structs.replace(station, addresses=chosen.addresses)
    return text_of(Provisioning(station, terminal, chosen.wifi, chosen.service))
