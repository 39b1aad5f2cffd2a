"""The content of the station's screen as text."""

import datetime as dt
import enum
import gettext
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from station.appliance.status import (
    CardProblem,
    HallSettings,
    RoundStatus,
    StationStatus,
    StickState,
    StickStatus,
    WifiShown,
)

Translate = Callable[[str], str]
_FOLDER = Path(__file__).parents[1] / "locale"


def words_in(language: str) -> Translate:
    """Return a function that translates English sentences, or keeps them if there is no catalogue."""
    return gettext.translation("station", str(_FOLDER), [language], fallback=True).gettext


_GB: Final = 1_000_000_000
_LITTLE_ROOM: Final = 500_000_000
_QUOTED: Final = str.maketrans({sign: f"\\{sign}" for sign in '\\;,":'})


class Mark(enum.Enum):
    """The state of a row, shown as a symbol in front of it."""

    GOOD = "good"
    PLAIN = "plain"
    LOOK = "look"
    """The row needs attention."""


class Code(msgspec.Struct, frozen=True):
    """A QR code for phones, with its content as text below. ``title`` is its purpose."""

    title: str
    content: str
    lines: tuple[str, ...]


class Row(msgspec.Struct, frozen=True):
    """A row about the state of the hall."""

    title: str
    text: str
    mark: Mark = Mark.PLAIN


class ScreenPlan(msgspec.Struct, frozen=True):
    """The whole screen, with lines to read first, if any, and small lines at the bottom."""

    title: str
    time: str
    codes: tuple[Code, ...] = ()
    rows: tuple[Row, ...] = ()
    alert: tuple[str, ...] = ()
    foot: tuple[str, ...] = ()


def plan_of(hall: HallSettings, status: StationStatus | None, now: dt.datetime, _: Translate) -> ScreenPlan:
    """Return the content of the screen. ``status`` is None if the station is not running."""
    title = hall.name or "Saloon"
    alert = () if hall.card is None else _card_words(hall.card, _)
    wifi = () if hall.wifi is None else (_wifi_code(hall.wifi, _),)
    if status is None or status.is_ending:
        silent = _(
            "The station is starting, or not responding. Wait two minutes, then switch it off and on again."
        )
        ending = _(
            "The station is shutting down and making a last copy to the USB drive. Wait until this screen "
            "goes dark."
        )
        row = Row(_("Station"), silent if status is None else ending, Mark.LOOK)
        return ScreenPlan(title, f"{now:%H:%M}", wifi if status is None else (), (row,), alert)
    return ScreenPlan(
        title=title,
        time=f"{now:%H:%M}" if status.is_clock_sure else "",
        codes=(*wifi, *_page_codes(status, hall.wifi, _)),
        rows=tuple(_rows(status, now, _)),
        alert=alert,
        foot=_foot(status, _),
    )


def wifi_text(wifi: WifiShown) -> str:
    """Return the QR code text with which a phone joins an access point."""
    name, password = wifi.name.translate(_QUOTED), wifi.password.translate(_QUOTED)
    return f"WIFI:T:WPA;S:{name};P:{password};;"


def _wifi_code(wifi: WifiShown, _: Translate) -> Code:
    lines = (_("Network: {name}").format(name=wifi.name), _("Password: {word}").format(word=wifi.password))
    return Code(_("1. Join the Wi-Fi"), wifi_text(wifi), lines)


def _page_codes(status: StationStatus, wifi: WifiShown | None, _: Translate) -> tuple[Code, ...]:
    """Return a QR code of the page's numeric address, as some phones cannot resolve local names."""
    if not status.pages:
        return ()
    inside = [page for page in status.pages if wifi is not None and page.endswith(f"//{wifi.address}")]
    best = (inside or status.pages)[0]
    content = f"{best}/first?code={status.first_code}" if status.first_code else best
    named = (status.local,) if status.local else ()
    title = _("2. Open the page") if wifi is not None else _("Open the page")
    return (Code(title, content, (*named, best)),)


def _rows(status: StationStatus, now: dt.datetime, _: Translate) -> list[Row]:
    rows = []
    if status.first_code:
        text = _("Scan the page's code, or open /first and type {code}").format(code=status.first_code)
        rows.append(Row(_("No judge has an account yet"), text, Mark.LOOK))
    if status.is_away:
        rows.append(
            Row(_("Database"), _("The database isn't responding. Nothing can be saved now."), Mark.LOOK)
        )
    if not status.is_clock_sure:
        text = _("This station doesn't know the time. A judge has to set it on the Station page.")
        rows.append(Row(_("Clock"), text, Mark.LOOK))
    if not status.pages:
        rows.append(Row(_("Network"), _("No cable and no Wi-Fi: plug in a network cable."), Mark.LOOK))
    rows.append(_terminals(status, _))
    if status.round is not None:
        rows.append(_round(status.round, now, _))
    rows.append(_stick(status.stick, now, _))
    if status.room < _LITTLE_ROOM:
        text = _("Only {n} GB are free on the internal disk.").format(n=f"{status.room / _GB:.1f}")
        rows.append(Row(_("Disk"), text, Mark.LOOK))
    return rows


def _terminals(status: StationStatus, _: Translate) -> Row:
    title = _("Terminals")
    if not status.here and not status.away:
        return Row(title, _("None enrolled yet."))
    text = _("{here} connected, {away} disconnected").format(here=status.here, away=status.away)
    if status.alarms:
        text += " · " + _("alarms: {n}").format(n=status.alarms)
    bad = status.alarms or status.away
    return Row(title, text, Mark.LOOK if bad else Mark.GOOD)


def _round(status: RoundStatus, now: dt.datetime, _: Translate) -> Row:
    name = _("Game {n}") if status.is_game else _("Round {n}")
    done = _("{round}, tables done: {done} of {all}").format(
        round=name.format(n=status.number), done=status.done, all=status.tables
    )
    text = done if status.tables else _("No table is playing.")
    if status.ends_ms is not None:
        ends = dt.datetime.fromtimestamp(status.ends_ms / 1000, now.tzinfo)
        text += " · " + (_("until {time}").format(time=f"{ends:%H:%M}") if ends > now else _("time's up"))
    elif status.left_s is not None:
        text += " · " + _("clock stopped, {n} min left").format(n=max(0, -(-status.left_s // 60)))
    if status.calls:
        text += " · " + _("calls for a judge: {n}").format(n=status.calls)
    return Row(status.tournament, text, Mark.LOOK if status.calls else Mark.PLAIN)


def _stick(look: StickStatus, now: dt.datetime, _: Translate) -> Row:
    title = _("Copy on a USB drive")
    last = ""
    if look.good_ms is not None:
        good = dt.datetime.fromtimestamp(look.good_ms / 1000, now.tzinfo)
        last = " · " + _("last good copy {time}").format(time=f"{good:%H:%M}")
    text, mark = _stick_words(look.state, _)
    return Row(title, text + last, mark)


def _stick_words(state: StickState, _: Translate) -> tuple[str, Mark]:
    match state:
        case StickState.NONE:
            return _("Plug in a USB drive and everything is copied to it automatically."), Mark.LOOK
        case StickState.WRITING:
            return _("Copying …"), Mark.PLAIN
        case StickState.GOOD:
            return _("Everything has been copied"), Mark.GOOD
        case StickState.LET_GO:
            return _("You can remove the USB drive"), Mark.GOOD
        case StickState.FULL:
            return _("The USB drive is full. Delete other files from it, or use another one."), Mark.LOOK
        case StickState.READ_ONLY:
            return _(
                "The USB drive is write-protected. Look for a switch on its side, or use another one."
            ), Mark.LOOK
        case StickState.FAILED:
            return _("The copy failed. Use another USB drive."), Mark.LOOK


def _card_words(card: CardProblem, _: Translate) -> tuple[str, ...]:
    where = _("saloon-station.toml has an error, so none of it was used.")
    place = _("Line {n}: {text}").format(n=card.line, text=card.text) if card.line else ""
    said = _(card.problem).format(**card.fields)
    problem = f"{card.key}: {said}" if card.key else said
    advice = _("Switch off, fix the file on any computer, then switch on again.")
    return tuple(part for part in (where, place, problem, advice) if part)


def _foot(status: StationStatus, _: Translate) -> tuple[str, ...]:
    if not status.fingerprint:
        return ()
    warns = _(
        "The browser warns you once, because the station signed its own certificate: choose “Advanced”, "
        "then continue. The certificate must show this SHA-256:"
    )
    return (warns, status.fingerprint)
