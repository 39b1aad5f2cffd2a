"""The pad on which an address of the station is typed."""

from typing import Final

import msgspec

from saloon.core.errors import BadData
from saloon.kiosk.intents import AskLink
from saloon.kiosk.scenes.furniture import common, page
from saloon.kiosk.scenes.keyboard import ADDRESS_KEYS, typed_line
from saloon.kiosk.scenes.scene import Reply, Stage
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, Button, Look
from saloon.kiosk.ui.ring import GAP_MM
from saloon.sync.agent_contract import UseAddress
from saloon.sync.provisioning import completed_address, host_and_port

_ROW_MM: Final = 12.0


class AddressScene(msgspec.Struct, frozen=True):
    """typed: the address so far."""

    typed: str = ""

    @property
    def name(self) -> str:
        """The pad."""
        return "address"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """One line, and the keys."""
        _ = stage.words.gettext
        rect, foot = page(stage)
        mm, gap = stage.mm, stage.mm(GAP_MM)
        top, pad = Rect(0, 0, rect.w, rect.h).top(mm(_ROW_MM), gap)
        if rect.w < rect.h:
            line, pad = pad.top(mm(_ROW_MM), gap)
            back, go = top.columns([1, 1], gap)
        else:
            back, top = top.left(mm(26), gap)
            go, line = top.end(mm(30), gap)
        pad = pad.foot(min(pad.h, ADDRESS_KEYS.height(stage, pad.w) + mm(14)))[0]
        size = mm(4.4)
        return (
            Block(
                "page",
                rect,
                (
                    Button(back, "back", _("Back"), icon="back", size_px=size),
                    *typed_line(stage, line, self.typed, _("such as 192.168.1.10")),
                    Button(
                        go, "try", _("Try it"), Look.MAIN, "check", size_px=size, enabled=self._is_address()
                    ),
                    *ADDRESS_KEYS.parts(stage, pad, self.typed),
                ),
            ),
            foot,
        )

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Types, or tries what is typed."""
        del stage
        if target == "try":
            return Reply(intents=(AskLink(UseAddress(completed_address(self.typed))),), closes=True)
        typed = ADDRESS_KEYS.after(self.typed, target)
        return (common(target) or Reply()) if typed is None else Reply(becomes=AddressScene(typed))

    def still_holds(self, stage: Stage) -> bool:
        """Until somebody leaves it."""
        del stage
        return True

    def _is_address(self) -> bool:
        try:
            host_and_port(completed_address(self.typed), "typed")
        except BadData:
            return False
        return True
