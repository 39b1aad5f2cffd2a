"""The table's menu, and its settings: language, display, sound and the turn timer."""

from functools import partial
from typing import Final

import msgspec

from base.languages import LANGUAGES
from core.terms import SeatNo
from hardware.contract import Tune
from kiosk.preferences import Layout, Spoken, Theme
from kiosk.scenes import pages
from kiosk.scenes.scene import Reply, SceneContext, prefer_reply
from kiosk.scenes.widgets.dialogs import Dialog, has_game, scene
from kiosk.scenes.widgets.page_parts import (
    Heading,
    Offer,
    back_offer,
    judge_menu_reply,
    language_button,
    lock_offer,
    offer,
    redo_offers,
    shows_lock,
)
from kiosk.ui.blocks import ButtonStyle
from kiosk.view.intents import ChangePreferences, PlayTune


def _is_seated(stage: SceneContext, seat: SeatNo | None = None) -> bool:
    game = stage.table.game
    return seat is None or (game is not None and seat <= len(game.seats))


@scene("language", holds=_is_seated)
def languages(stage: SceneContext, seat: SeatNo | None = None) -> Dialog:
    """Choose a language by its native name. seat: the player's; None for the whole table."""
    if seat is None:
        _ = stage.words.gettext
        text = _("To choose a different language for your own panel, hold it.")
        return Dialog(stage, Heading(_("Table language"), text, "speech"), _language_offers(stage, seat))
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _("Your panel and everything facing you will use this language. The middle won't change.")
    head = Heading(stage.seat(seat).name, text, "speech")
    return Dialog(stage, head, _language_offers(stage, seat))


def _language_offers(stage: SceneContext, seat: SeatNo | None) -> tuple[Offer, ...]:
    chosen, preferences = stage.table.language, stage.table.preferences
    if seat is not None:
        chosen = preferences.language_of(stage.game.tournament, stage.seat(seat).player)
    choices = [(f"language-{code}", name, code) for code, name in LANGUAGES.items()]
    if seat is not None:
        choices.append(("language-of-the-table", stage.words.gettext("Same as the table"), ""))
    offers = (
        offer(
            stage, target, name, _speak(stage, seat, code), 2.4,
            look=ButtonStyle.CHOSEN if code == chosen else ButtonStyle.QUIET,
        )
        for target, name, code in choices
    )  # fmt: skip
    return (*offers, back_offer(stage, 1.6))


def _speak(stage: SceneContext, seat: SeatNo | None, language: str) -> Reply:
    """Return the reply that changes the language, or empty for the table's language."""
    if seat is None:
        chosen = msgspec.structs.replace(stage.table.preferences, language=language)
        return Reply(intents=(ChangePreferences(chosen),), closes=True)
    spoken = Spoken(stage.game.tournament, stage.seat(seat).player, language)
    return Reply(intents=(ChangePreferences(stage.table.preferences.speaking(spoken)),), closes=True)


_STEP: Final = 20
_ALL: Final = 100


@scene("sound")
def sound_settings(stage: SceneContext) -> Dialog:
    """Set the volume: quieter, louder, mute, and a test sound."""
    _, chosen = stage.words.gettext, stage.table.preferences
    silent = chosen.muted or not chosen.volume
    volume = _("muted") if silent else _("{percent}%").format(percent=chosen.volume)
    text = _("Every sound is also shown on the screen.")
    less, more = (_volume(stage, chosen.volume + step) for step in (-_STEP, _STEP))
    mute = prefer_reply(stage, muted=not chosen.muted)
    look, mark = (ButtonStyle.CHOSEN, "check") if chosen.muted else (ButtonStyle.QUIET, "")
    listen = Reply((PlayTune(Tune.TIME_SHORT),))
    may_less, may_more = chosen.volume > 0, chosen.volume < _ALL
    offers = (
        offer(stage, "volume-less", _("Quieter"), less, 2.4, icon="minus", enabled=may_less, may_repeat=True),
        offer(stage, "volume-more", _("Louder"), more, 2.4, icon="plus", enabled=may_more, may_repeat=True),
        offer(stage, "mute", _("Mute"), mute, 2.4, look=look, icon=mark),
        offer(stage, "hear", _("Listen"), listen, 2.4, icon="speaker", enabled=not silent),
        back_offer(stage, 2),
    )
    return Dialog(stage, Heading(_("Sound: {volume}").format(volume=volume), text, "speaker"), offers)


def _volume(stage: SceneContext, percent: int) -> Reply:
    louder = prefer_reply(stage, volume=min(_ALL, max(0, percent)), muted=False)
    return Reply((*louder.intents, PlayTune(Tune.TIME_SHORT)))


_LOCKS_AFTER_S: Final = 60


@scene("look")
def display_settings(stage: SceneContext) -> Dialog:
    """Choose theme, layout and automatic locking."""
    _, chosen = stage.words.gettext, stage.table.preferences
    day, dim, clear = (prefer_reply(stage, theme=theme) for theme in Theme)
    ring, upright = (prefer_reply(stage, layout=layout) for layout in (Layout.RING, Layout.KEEPER))
    locks = chosen.lock_after_s > 0
    lock = prefer_reply(stage, lock_after_s=0 if locks else _LOCKS_AFTER_S)
    is_flat, contrast = chosen.layout is Layout.RING, _("High contrast, large type")
    choices = (
        ("theme-day", _("Bright hall"), "sun", day, chosen.theme is Theme.DAY),
        ("theme-dim", _("Dim hall"), "moon", dim, chosen.theme is Theme.DIM),
        ("theme-contrast", contrast, "contrast", clear, chosen.theme is Theme.CONTRAST),
        ("layout-ring", _("Flat in the middle"), "ring", ring, is_flat),
        ("layout-keeper", _("Upright at one end"), "keeper", upright, not is_flat),
        ("lock-itself", _("Lock after a minute"), "lock", lock, locks),
    )
    offers = (
        *(
            offer(
                stage, target, label, reply, 3.4, icon=icon, small=_("chosen") if is_chosen else "",
                look=ButtonStyle.CHOSEN if is_chosen else ButtonStyle.QUIET,
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
    """Set the turn timer: off, or one of four lengths."""
    _ = stage.words.gettext
    text = _("A bar shows the seconds left in the turn and warns when they run out. It never ends the turn.")
    offers = (
        *(_length(stage, seconds) for seconds in CHOICES_S),
        back_offer(stage, 1.6),
    )
    return Dialog(stage, Heading(_("Turn timer"), text, "clock"), offers)


def _length(stage: SceneContext, seconds: int) -> Offer:
    _ = stage.words.gettext
    is_chosen = stage.table.preferences.turn_timer_s == seconds
    label = _("{seconds} s").format(seconds=seconds) if seconds else _("Off")
    reply = prefer_reply(stage, turn_timer_s=seconds)
    look, icon = (ButtonStyle.CHOSEN, "check") if is_chosen else (ButtonStyle.QUIET, "")
    return offer(stage, f"turn-timer-{seconds}", label, reply, 1.6, look=look, icon=icon)


@scene("menu", when=has_game)
def table_menu(stage: SceneContext) -> Dialog:
    """Offer everything that is rarely needed."""
    _ = stage.words.gettext
    look, source = Reply(opens=display_settings()), ""
    if stage.table.edition is not None:
        source = stage.table.edition.source
    offers = (
        offer(stage, "story", _("Story of the game"), Reply(opens=pages.Story()), 4.2, icon="story"),
        offer(stage, "judge-menu", _("Judge's menu"), partial(judge_menu_reply, stage), 4.2, icon="key"),
        offer(stage, "rules", _("Rules"), Reply(opens=pages.Rules()), 4.2, icon="question"),
        Offer(language_button(stage, stage.mm(4.8)), 4.2),
        offer(stage, "turn-timer", _("Turn timer"), Reply(opens=turn_timer()), 3, icon="clock"),
        offer(stage, "sound", _("Sound"), Reply(opens=sound_settings()), 2.2, icon="speaker"),
        offer(stage, "look", _("Display settings"), look, 4.2, icon="sun"),
        *redo_offers(stage),
        *((lock_offer(stage),) if shows_lock(stage.game) else ()),
        *_rotate_offers(stage),
        back_offer(stage, 2),
    )
    return Dialog(stage, Heading(_("Menu"), source, "star"), offers)


def _rotate_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button that turns pages towards the opposite side, if people sit around the screen."""
    if stage.table.preferences.layout is not Layout.RING:
        return ()
    said = stage.words.gettext("Rotate the page")
    return (offer(stage, "turn-page", "", Reply(rotates=True), 1.4, icon="turn", said=said),)
