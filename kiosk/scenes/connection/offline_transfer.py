"""No connection: what to show as codes, or to write to a stick."""

from typing import ClassVar, Final

import msgspec

from saloon.core.game.state import Phase
from saloon.kiosk.intents import PutAway, ShowCodes, WriteStick
from saloon.kiosk.scenes.connection.parcel_codes import CodeScene
from saloon.kiosk.scenes.connection.usb_stick import StickScene
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, back_offer
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.kiosk.view.transfer_view import Load
from saloon.sync.terminal.agent_contract import LinkPhase

_LOADS: Final = {f"show-{load.value}": load for load in Load}
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
        sheet = _code_offer(stage, Load.SHEET, (_("Record sheet"), ""), enabled=carried.has_sheet)
        offers = (
            msgspec.structs.replace(
                sheet, button=msgspec.structs.replace(sheet.button, look=ButtonStyle.MAIN)
            ),
            _code_offer(stage, Load.OWED, (_("Missing at the station"), owed), enabled=carried.owed > 0),
            _code_offer(stage, Load.GAME, (_("Whole game"), whole), enabled=carried.of_game > 0),
            Offer(Button(NOWHERE, "write-stick", _("USB drive"), icon="stick", size_px=stage.mm(4.4)), 2.6),
            back_offer(stage, 2),
        )
        return dialog(stage, Heading(_("No connection?"), self._text(stage), "qr"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Request the parcel, and open the page that shows it."""
        del stage
        if target in _LOADS:
            return Reply(intents=(ShowCodes(_LOADS[target], self.by_judge),), opens=CodeScene())
        if target == "write-stick":
            return Reply(intents=(WriteStick(self.by_judge),), opens=StickScene(self.by_judge))
        return Reply(intents=(PutAway(),), closes=True) if target == "back" else Reply()

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
    _ = stage.words.gettext
    words = _("No connection?")
    return Offer(Button(NOWHERE, "carry", words, icon="qr", size_px=stage.mm(4)), share)


def carry_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button for a record sheet while there is no connection."""
    away = stage.table.delivery.link is not LinkPhase.CONNECTED
    return (carry_offer(stage, 2.2),) if away else ()


def _code_offer(stage: SceneContext, load: Load, words: tuple[str, str], *, enabled: bool) -> Offer:
    """Return the button of a kind of parcel. words: its contents and size."""
    label, small = words
    size = stage.mm(4.4)
    button = Button(
        NOWHERE, f"show-{load.value}", label, icon="qr", small=small, size_px=size, enabled=enabled
    )
    return Offer(button, 3.6)
