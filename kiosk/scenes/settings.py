"""The table's menu, and its settings: language, display, sound and the turn timer."""

from typing import Final

import msgspec

from base.languages import LANGUAGES
from core.terms import SeatNo
from hardware.contract import Tune
from kiosk.preferences import Layout, Spoken, Theme
from kiosk.scenes import pages
from kiosk.scenes.scene import Reply, SceneContext, prefer_reply
from kiosk.scenes.widgets.dialogs import Dialog, has_game, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import (
    back_offer,
    judge_menu_reply,
    language_button,
    lock_offer,
    offer,
    redo_offers,
    shows_lock,
)
from kiosk.scenes.widgets.rows import Offer
from kiosk.view.intents import ChangePreferences, PlayTune


@scene(
    "language",
    holds=lambda stage, seat=None: seat is None or (has_game(stage) and seat <= len(stage.game.seats)),
)
def languages(stage: SceneContext, seat: SeatNo | None = None) -> Dialog:
    """Choose the language of a seat's player, or of the whole table if ``seat`` is None."""
    choices = [(f"language-{code}", name, code) for code, name in LANGUAGES.items()]
    if seat is None:
        _, chosen = stage.words.gettext, stage.table.language
        title, text = _("Table language"), _("To choose a different language for your own panel, hold it.")
    else:
        stage, player = stage.in_language_of(seat), stage.seat(seat)
        _ = stage.words.gettext
        title = player.name
        text = _("Your panel and everything facing you will use this language. The middle won't change.")
        chosen = stage.table.preferences.language_of(stage.game.tournament, player.player)
        choices.append(("language-of-the-table", _("Same as the table"), ""))
    offers = [
        offer(stage, target, name, _speak(stage, seat, code), 2.4, chosen=code == chosen)
        for target, name, code in choices
    ]
    return Dialog(stage, Heading(title, text, "speech"), offers)


def _speak(stage: SceneContext, seat: SeatNo | None, language: str) -> Reply:
    chosen = stage.table.preferences
    if seat is None:
        chosen = msgspec.structs.replace(chosen, language=language)
    else:
        chosen = chosen.speaking(Spoken(stage.game.tournament, stage.seat(seat).player, language))
    return Reply(intents=(ChangePreferences(chosen),), closes=True)


_STEP: Final = 20
_ALL: Final = 100


@scene("sound")
def sound_settings(stage: SceneContext) -> Dialog:
    """Set the volume."""
    _, chosen = stage.words.gettext, stage.table.preferences
    silent = chosen.muted or not chosen.volume
    volume = _("muted") if silent else _("{percent}%").format(percent=chosen.volume)
    text = _("Every sound is also shown on the screen.")
    steps = (min(_ALL, max(0, chosen.volume + step)) for step in (-_STEP, _STEP))
    changes = (prefer_reply(stage, volume=volume, muted=False).intents for volume in steps)
    less, more = (Reply((*intents, PlayTune(Tune.TIME_SHORT))) for intents in changes)
    mute = prefer_reply(stage, muted=not chosen.muted)
    listen = Reply((PlayTune(Tune.TIME_SHORT),))
    may_less, may_more = chosen.volume > 0, chosen.volume < _ALL
    offers = (
        offer(stage, "volume-less", _("Quieter"), less, 2.4, icon="minus", enabled=may_less, may_repeat=True),
        offer(stage, "volume-more", _("Louder"), more, 2.4, icon="plus", enabled=may_more, may_repeat=True),
        offer(stage, "mute", _("Mute"), mute, 2.4, chosen=chosen.muted, icon="check" if chosen.muted else ""),
        offer(stage, "hear", _("Listen"), listen, 2.4, icon="speaker", enabled=not silent),
        back_offer(stage, 2),
    )
    return Dialog(stage, Heading(_("Sound: {volume}").format(volume=volume), text, "speaker"), offers)


_LOCKS_AFTER_S: Final = 60


@scene("look")
def display_settings(stage: SceneContext) -> Dialog:
    """Choose theme, layout and automatic locking."""
    _, chosen = stage.words.gettext, stage.table.preferences
    day, dim, clear = (prefer_reply(stage, theme=theme) for theme in Theme)
    ring, upright = (prefer_reply(stage, layout=layout) for layout in (Layout.RING, Layout.KEEPER))
    locks = chosen.lock_after_s > 0
    lock = prefer_reply(stage, lock_after_s=0 if locks else _LOCKS_AFTER_S)
    calm = prefer_reply(stage, is_calm=not chosen.is_calm)
    is_flat, contrast = chosen.layout is Layout.RING, _("High contrast, large type")
    choices = (
        ("theme-day", _("Bright hall"), "sun", day, chosen.theme is Theme.DAY),
        ("theme-dim", _("Dim hall"), "moon", dim, chosen.theme is Theme.DIM),
        ("theme-contrast", contrast, "contrast", clear, chosen.theme is Theme.CONTRAST),
        ("layout-ring", _("Flat in the middle"), "ring", ring, is_flat),
        ("layout-keeper", _("Upright at one end"), "keeper", upright, not is_flat),
        ("lock-itself", _("Lock after a minute"), "lock", lock, locks),
        ("calm", _("Calm: nothing moves or clicks"), "pause", calm, chosen.is_calm),
    )
    offers = (
        *(
            offer(
                stage, target, label, reply, 3.4, icon=icon, small=_("chosen") if is_chosen else "",
                chosen=is_chosen,
            )
            for target, label, icon, reply, is_chosen in choices
        ),
        back_offer(stage, 2),
    )  # fmt: skip
    text = _("These settings apply to everyone at this table until somebody changes them.")
    return Dialog(stage, Heading(_("Display settings"), text, "sun"), offers)


CHOICES_S: Final = (0, 60, 90, 120, 180)


@scene("turn-timer")
def turn_timer(stage: SceneContext) -> Dialog:
    """Choose the length of the turn timer, or switch it off."""
    _ = stage.words.gettext
    text = _("A bar shows the seconds left in the turn and warns when they run out. It never ends the turn.")
    offers = []
    for seconds in CHOICES_S:
        is_chosen = stage.table.preferences.turn_timer_s == seconds
        label = _("{seconds} s").format(seconds=seconds) if seconds else _("Off")
        reply, icon = prefer_reply(stage, turn_timer_s=seconds), "check" if is_chosen else ""
        target = f"turn-timer-{seconds}"
        offers.append(offer(stage, target, label, reply, 1.6, chosen=is_chosen, icon=icon))
    return Dialog(stage, Heading(_("Turn timer"), text, "clock"), offers)


@scene("menu", when=has_game)
def table_menu(stage: SceneContext) -> Dialog:
    """Draw the table's menu, with everything that is rarely needed."""
    _ = stage.words.gettext
    source = "" if stage.table.edition is None else stage.table.edition.source
    turn, said = Reply(rotates=True), _("Rotate the page")
    rotate = (offer(stage, "turn-page", "", turn, 1.4, icon="turn", said=said),)
    offers = (
        offer(stage, "story", _("Story of the game"), pages.story(), 4.2, icon="story"),
        offer(stage, "judge-menu", _("Judge's menu"), judge_menu_reply(stage), 4.2, icon="key"),
        offer(stage, "rules", _("Rules"), pages.rules(), 4.2, icon="question"),
        Offer(language_button(stage, stage.mm(4.8)), 4.2),
        offer(stage, "turn-timer", _("Turn timer"), turn_timer(), 3, icon="clock"),
        offer(stage, "sound", _("Sound"), sound_settings(), 2.2, icon="speaker"),
        offer(stage, "look", _("Display settings"), display_settings(), 4.2, icon="sun"),
        *redo_offers(stage),
        *((lock_offer(stage),) if shows_lock(stage.game) else ()),
        *(rotate if stage.table.preferences.layout is Layout.RING else ()),
        back_offer(stage, 2),
    )
    return Dialog(stage, Heading(_("Menu"), source, "star"), offers)
