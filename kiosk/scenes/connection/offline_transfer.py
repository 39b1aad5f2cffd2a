"""No connection: what to show as codes, or to write to a USB drive."""

from typing import ClassVar, Final

import msgspec

from saloon.core.game.state import Phase
from saloon.kiosk.intents import ShowCodes, WriteStick
from saloon.kiosk.scenes.connection.parcel_codes import PUT_AWAY, CodeScene
from saloon.kiosk.scenes.connection.usb_stick import StickScene
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle
from saloon.kiosk.view.transfer_view import Load
from saloon.sync.terminal.agent_contract import LinkPhase

_OVER: Final = frozenset({Phase.SHEET, Phase.CONFIRMED, Phase.VOIDED})


class CarryScene(msgspec.Struct, frozen=True):
    """by_judge: opened from the judge's menu, also while a game runs."""

    by_judge: bool = False

    name: ClassVar[str] = "carry"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the kinds of parcels, each with its size."""
        _, carried = stage.words.gettext, stage.table.carried
        ngettext = stage.words.ngettext
        owed = ngettext("{n} entry", "{n} entries", carried.owed).format(n=carried.owed)
        whole = ngettext("{n} entry", "{n} entries", carried.of_game).format(n=carried.of_game)
        write = Reply(intents=(WriteStick(self.by_judge),), opens=StickScene(self.by_judge))
        parcels = (
            (Load.SHEET, _("Record sheet"), "", ButtonStyle.MAIN, carried.has_sheet),
            (Load.OWED, _("Missing at the station"), owed, ButtonStyle.QUIET, carried.owed > 0),
            (Load.GAME, _("Whole game"), whole, ButtonStyle.QUIET, carried.of_game > 0),
        )
        offers = (
            *(
                offer(
                    stage, f"show-{load.value}", label,
                    Reply(intents=(ShowCodes(load, self.by_judge),), opens=CodeScene()), 3.6,
                    look=look, icon="qr", small=size, enabled=enabled,
                )
                for load, label, size, look, enabled in parcels
            ),
            offer(stage, "write-stick", _("USB drive"), write, 2.6, icon="stick"),
            back_offer(stage, 2, PUT_AWAY),
        )  # fmt: skip
        return dialog(stage, Heading(_("No connection?"), self._text(stage), "qr"), offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether no other game has begun, or a judge opened it."""
        return self.by_judge or is_offered(stage)

    def _text(self, stage: SceneContext) -> str:
        _ = stage.words.gettext
        if stage.table.game is not None and stage.game.phase is Phase.SHEET:
            return _(
                "The judge photographs codes or uses a USB drive. The record sheet isn't "
                "confirmed yet: it's best to confirm it first."
            )
        return _(
            "The judge photographs codes or uses a USB drive. Everything is signed by this "
            "terminal; once it's connected again, nothing counts twice."
        )


def is_offered(stage: SceneContext) -> bool:
    """Return whether everybody at the table may open it: no running game can be revealed by it."""
    return stage.table.game is not None and stage.game.phase in _OVER


def carry_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    """Return the button for scenes where a finished game waits for a connection."""
    words, opens = stage.words.gettext("No connection?"), Reply(opens=CarryScene())
    return offer(stage, "carry", words, opens, share, size_mm=4, icon="qr")


def carry_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button for a record sheet while there is no connection."""
    away = stage.table.delivery.link is not LinkPhase.CONNECTED
    return (carry_offer(stage, 2.2),) if away else ()
