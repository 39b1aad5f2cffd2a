"""The pad on which an address of the station is typed."""

from typing import ClassVar

import msgspec

from saloon.kiosk.intents import AskLink
from saloon.kiosk.scenes.scene import OnTouch, PersistentScene, Reply, SceneContext
from saloon.kiosk.scenes.widgets.keyboard import ADDRESS_KEYS
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE
from saloon.kiosk.scenes.widgets.typing_page import typing_page
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.sync.ports.addresses import is_address
from saloon.sync.station.station_address import complete_address
from saloon.sync.terminal.agent_contract import UseAddress


class AddressScene(PersistentScene, msgspec.Struct, frozen=True):
    """The page on which an address is typed. typed: so far."""

    typed: str = ""

    name: ClassVar[str] = "address"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw one line, and the keys."""
        _ = stage.words.gettext
        address = complete_address(self.typed)
        attempt = Reply(intents=(AskLink(UseAddress(address)),), closes=True)
        done = Button(
            NOWHERE, "try", _("Try it"), ButtonStyle.MAIN, "check", enabled=is_address(address),
            action=OnTouch(attempt),
        )  # fmt: skip
        return typing_page(
            stage, ADDRESS_KEYS, self.typed, done, hint=_("e.g. 192.168.1.10"), after=AddressScene
        )
