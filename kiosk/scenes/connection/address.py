"""The pad on which an address of the station is typed."""

from typing import ClassVar

import msgspec

from saloon.kiosk.intents import AskLink
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.keyboard import ADDRESS_KEYS
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, common
from saloon.kiosk.scenes.widgets.typing_page import typing_page
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.sync.ports.addresses import is_address
from saloon.sync.station.station_address import completed_address
from saloon.sync.terminal.agent_contract import UseAddress


class AddressScene(msgspec.Struct, frozen=True):
    """typed: the address so far."""

    typed: str = ""

    name: ClassVar[str] = "address"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw one line, and the keys."""
        _ = stage.words.gettext
        done = Button(
            NOWHERE,
            "try",
            _("Try it"),
            ButtonStyle.MAIN,
            "check",
            enabled=is_address(completed_address(self.typed)),
        )
        return typing_page(stage, ADDRESS_KEYS, self.typed, _("e.g. 192.168.1.10"), done)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Type, or try the typed address."""
        del stage
        if target == "try":
            return Reply(intents=(AskLink(UseAddress(completed_address(self.typed))),), closes=True)
        typed = ADDRESS_KEYS.after(self.typed, target)
        return (common(target) or Reply()) if typed is None else Reply(becomes=AddressScene(typed))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: only people close it."""
        del stage
        return True
