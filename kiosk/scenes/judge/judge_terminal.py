"""The judge and the terminal itself: sending again, swapping it, how bright it is."""

from typing import ClassVar, Final

import msgspec

from saloon.kiosk.intents import AskLink, Prefer
from saloon.kiosk.scenes.connection.link_words import age_words, finding_words, phase_words
from saloon.kiosk.scenes.connection.offline_transfer import CarryScene
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.settings.display_settings import DisplaySettingsScene
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle
from saloon.sync.terminal.agent_contract import LinkPhase, SendAgain

_STEP: Final = 20
_LEAST: Final = 20
_ALL: Final = 100


class ResendScene(msgspec.Struct, frozen=True):
    """Everything the station lacks goes out at once. asked: how many entries it lacked then; None before."""

    asked: int | None = None

    name: ClassVar[str] = "resend"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw what is not delivered yet, the result of the last attempt, and the button."""
        _, owed = stage.words.gettext, _owed(stage)
        words, size = _("Send again now"), stage.mm(4.6)
        again = Button(
            NOWHERE, "send-again", words, ButtonStyle.MAIN, "arrow", size_px=size, enabled=owed > 0
        )
        title = _("The station has everything")
        if owed:
            text = stage.words.ngettext("{count} entry not received", "{count} entries not received", owed)
            title = text.format(count=owed)
        offers = (back_offer(stage, 1.6), Offer(again, 3.2))
        return dialog(stage, Heading(title, self._text(stage), "link" if not owed else "story"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Start the connection to the station again."""
        if target == "send-again":
            return Reply(intents=(AskLink(SendAgain()),), becomes=ResendScene(_owed(stage)))
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: only the judge closes it."""
        del stage
        return True

    def _text(self, stage: SceneContext) -> str:
        _, owed = stage.words.gettext, _owed(stage)
        phase = f"{phase_words(stage, stage.table.link)}. {age_words(stage, stage.table.link)}."
        if self.asked is None:
            return phase
        if not owed:
            return _("Everything has arrived.")
        came = self.asked - owed
        if came > 0:
            return _("{came} of {asked} have arrived; the rest will follow.").format(
                came=came, asked=self.asked
            )
        if stage.table.delivery.link is LinkPhase.CONNECTED:
            return _("Sent again; the station hasn't answered yet.")
        return _("Can't send: no connection.") + " " + finding_words(stage, stage.table.link)


class SwapScene:
    """Handover of this table to another terminal, which is done at the station."""

    name: Final = "swap"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw three steps, and what is not delivered yet."""
        _, owed = stage.words.gettext, _owed(stage)
        table = stage.table.table or 0
        text = _(
            "1. At the station, open table {table} and choose “Swap terminal”. 2. Put the spare "
            "here; it will show this game with everything the station has. 3. When this one "
            "shows “Replaced”, take it away."
        ).format(table=table)
        if owed:
            words = stage.words.ngettext(
                "Send again first: {count} entry is only here.",
                "Send again first: {count} entries are only here.", owed,
            )  # fmt: skip
            text = words.format(count=owed) + " " + text
        again = Button(NOWHERE, "resend", _("Send again"), icon="arrow", size_px=stage.mm(4.4))
        carry = Button(NOWHERE, "carry", _("No connection?"), icon="qr", size_px=stage.mm(4.4))
        offers = (back_offer(stage, 1.6), Offer(again, 2.4), Offer(carry, 2.4))
        return dialog(stage, Heading(_("Swap the terminal"), text, "shuffle"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Open what helps before a handover."""
        del stage
        match target:
            case "resend":
                return Reply(opens=ResendScene())
            case "carry":
                return Reply(opens=CarryScene(by_judge=True))
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: only the judge closes it."""
        del stage
        return True


class LightScene:
    """Brightness of the screen, with a button for the rest of its appearance."""

    name: Final = "light"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw darker and brighter, and the way to theme and layout."""
        _, percent, size = stage.words.gettext, stage.table.preferences.brightness, stage.mm(4.6)
        may_less, may_more = percent > _LEAST, percent < _ALL
        less = Button(NOWHERE, "light-less", _("Darker"), icon="minus", size_px=size, enabled=may_less)
        more = Button(NOWHERE, "light-more", _("Brighter"), icon="plus", size_px=size, enabled=may_more)
        look = Button(NOWHERE, "look", _("Display settings"), icon="sun", size_px=size)
        offers = (Offer(less, 2.4), Offer(more, 2.4), Offer(look, 3.4), back_offer(stage, 1.6))
        title = _("Brightness: {percent}%").format(percent=percent)
        return dialog(stage, Heading(title, _("Kept after a restart."), "sun"), offers)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Change the brightness at once."""
        percent = stage.table.preferences.brightness
        match target:
            case "light-less":
                return _brightness(stage, max(_LEAST, percent - _STEP))
            case "light-more":
                return _brightness(stage, min(_ALL, percent + _STEP))
            case "look":
                return Reply(opens=DisplaySettingsScene())
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return True: only the judge closes it."""
        del stage
        return True


def _brightness(stage: SceneContext, percent: int) -> Reply:
    return Reply((Prefer(msgspec.structs.replace(stage.table.preferences, brightness=percent)),))


def _owed(stage: SceneContext) -> int:
    return stage.table.delivery.saved - stage.table.delivery.received
