"""The judge's pages for the terminal: resend entries, replace the terminal and set its brightness."""

from typing import Final

from kiosk.scenes.connection.link_words import age_words, finding_words, phase_words
from kiosk.scenes.pages import DisplaySettings, OfflineTransfer
from kiosk.scenes.scene import Reply, SceneContext, prefer_reply
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import Heading, back_offer, offer
from kiosk.ui.blocks import ButtonStyle
from kiosk.view.intents import AskLink
from sync.terminal.agent_contract import LinkPhase, SendAgain

_STEP: Final = 20
_LEAST: Final = 20
_ALL: Final = 100


@dialog("resend")
def resend_entries(stage: SceneContext, sent: int | None = None) -> Dialog:
    """Send all unreceived entries again. sent: their number when that began, or None."""
    _, owed = stage.words.gettext, _count_undelivered(stage)
    send = Reply(intents=(AskLink(SendAgain()),), becomes=resend_entries(owed))
    again = offer(
        stage, "send-again", _("Send again now"), send, 3.2, look=ButtonStyle.MAIN, icon="arrow",
        enabled=owed > 0,
    )  # fmt: skip
    title = _("The station has everything")
    if owed:
        text = stage.words.ngettext("{count} entry not received", "{count} entries not received", owed)
        title = text.format(count=owed)
    head = Heading(title, _text(stage, sent), "link" if not owed else "story")
    return Dialog(stage, head, (back_offer(stage, 1.6), again))


def _text(stage: SceneContext, sent: int | None) -> str:
    _, owed = stage.words.gettext, _count_undelivered(stage)
    phase = f"{phase_words(stage, stage.table.link)}. {age_words(stage, stage.table.link)}."
    if sent is None:
        return phase
    if not owed:
        return _("Everything has arrived.")
    came = sent - owed
    if came > 0:
        return _("{came} of {asked} have arrived; the rest will follow.").format(came=came, asked=sent)
    if stage.table.delivery.link is LinkPhase.CONNECTED:
        return _("Sent again; the station hasn't answered yet.")
    return _("Can't send: no connection.") + " " + finding_words(stage, stage.table.link)


@dialog("swap")
def swap_terminal(stage: SceneContext) -> Dialog:
    """Explain how to replace this terminal with another one, which is done at the station."""
    _, owed = stage.words.gettext, _count_undelivered(stage)
    table = stage.table.table or 0
    text = _(
        "1. At the station, open table {table} and choose “Swap terminal”. 2. Put the spare "
        "here; it will show this game with everything the station has. 3. When this one "
        "shows “Replaced”, take it away."
    ).format(table=table)
    if owed:
        words = stage.words.ngettext(
            "Send them first: {count} entry is stored only here.",
            "Send them first: {count} entries are stored only here.", owed,
        )  # fmt: skip
        text = words.format(count=owed) + " " + text
    carry = Reply(opens=OfflineTransfer(by_judge=True))
    offers = (
        back_offer(stage, 1.6),
        offer(stage, "resend", _("Send again"), Reply(opens=resend_entries()), 2.4, icon="arrow"),
        offer(stage, "carry", _("No connection?"), carry, 2.4, icon="qr"),
    )
    return Dialog(stage, Heading(_("Swap the terminal"), text, "shuffle"), offers)


@dialog("light")
def brightness(stage: SceneContext) -> Dialog:
    """Set the brightness of the screen; a button opens theme and layout."""
    _, percent = stage.words.gettext, stage.table.preferences.brightness
    less, more = (_brightness(stage, percent + step) for step in (-_STEP, _STEP))
    look = Reply(opens=DisplaySettings())
    offers = (
        offer(
            stage, "light-less", _("Darker"), less, 2.4, icon="minus", enabled=percent > _LEAST,
            may_repeat=True,
        ),
        offer(
            stage, "light-more", _("Brighter"), more, 2.4, icon="plus", enabled=percent < _ALL,
            may_repeat=True,
        ),
        offer(stage, "look", _("Display settings"), look, 3.4, icon="sun"),
        back_offer(stage, 1.6),
    )  # fmt: skip
    title = _("Brightness: {percent}%").format(percent=percent)
    return Dialog(stage, Heading(title, _("Kept after a restart."), "sun"), offers)


def _brightness(stage: SceneContext, percent: int) -> Reply:
    return prefer_reply(stage, brightness=min(_ALL, max(_LEAST, percent)))


def _count_undelivered(stage: SceneContext) -> int:
    return stage.table.delivery.saved - stage.table.delivery.received
