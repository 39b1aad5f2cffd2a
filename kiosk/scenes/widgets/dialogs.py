"""Dialogs: a heading with buttons below it. A dialog is a function; calling it returns its scene, a value.

An example, which closes as soon as its player can't leave any more::

    def _may_leave(stage: SceneContext, seat: SeatNo) -> bool:
        return stage.allows(Abandon(seat))

    @dialog("leaving", holds=_may_leave)
    def leaving(stage: SceneContext, seat: SeatNo) -> Dialog:
        return Dialog(stage, Heading(stage.seat(seat).name), (back_offer(stage),))

    Reply(opens=leaving(SeatNo(2)))
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Concatenate, Final, ParamSpec, Protocol, overload

import msgspec

from core.game.state.game import Phase
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.heading import Heading, head_parts
from kiosk.scenes.widgets.page_parts import page, page_room, table_page
from kiosk.scenes.widgets.ring_centre import fits_in_the_middle
from kiosk.scenes.widgets.rows import BUTTON_MM, HELD_MM, Offer, place_offers, rows_of, widened
from kiosk.ui.blocks import Block
from kiosk.ui.table_layout import GAP_MM

_State = ParamSpec("_State")


class Dialog(msgspec.Struct, frozen=True):
    """A heading with buttons, in the language and direction of its stage.

    more: groups of buttons that begin new rows.
    """

    stage: SceneContext
    head: Heading
    offers: Sequence[Offer]
    more: tuple[Sequence[Offer], ...] = ()


class DialogScene(msgspec.Struct, frozen=True):
    """An open dialog. state, named: what its functions get after the SceneContext."""

    name: str
    shows: Callable[..., Dialog]
    holds: Callable[..., bool]
    state: tuple[object, ...]
    named: Mapping[str, object]

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the heading and the buttons."""
        content = self.shows(stage, *self.state, **self.named)
        return draw_dialog(content.stage, content.head, content.offers, *content.more)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the dialog may stay open."""
        return self.holds(stage, *self.state, **self.named)


def always(_stage: SceneContext) -> bool:
    """Return True, for dialogs that only a touch closes."""
    return True


def has_game(stage: SceneContext) -> bool:
    """Return whether there is a game."""
    return stage.table.game is not None


def in_play(stage: SceneContext) -> bool:
    """Return whether a game is in play."""
    return stage.is_in(Phase.PLAYING)


def _in_any_state(when: Callable[[SceneContext], bool]) -> Callable[..., bool]:
    return lambda stage, *_state, **_named: when(stage)


class _Define(Protocol):
    def __call__(
        self, shows: Callable[Concatenate[SceneContext, _State], Dialog], /
    ) -> Callable[_State, DialogScene]: ...


@overload
def dialog(name: str, *, when: Callable[[SceneContext], bool] = always) -> _Define: ...


@overload
def dialog(
    name: str, *, holds: Callable[Concatenate[SceneContext, _State], bool]
) -> Callable[[Callable[Concatenate[SceneContext, _State], Dialog]], Callable[_State, DialogScene]]: ...


def dialog(
    name: str, *, when: Callable[[SceneContext], bool] = always, holds: Callable[..., bool] | None = None
) -> Callable[[Callable[..., Dialog]], Callable[..., DialogScene]]:
    """Make a function that returns the scene of a dialog, from one that returns what the dialog shows.

    when: the state of the table in which the dialog may stay open. holds: the same, if it also depends on the
    dialog's own state.
    """
    holds = holds or _in_any_state(when)

    def define(shows: Callable[..., Dialog]) -> Callable[..., DialogScene]:
        @wraps(shows)
        def opened(*state: object, **named: object) -> DialogScene:
            return DialogScene(name, shows, holds, state, named)

        return opened

    return define


_DIALOG_MM: Final = 120.0
_OWN_SHARE: Final = 9.0
"""A share larger than any button's."""
_FEW: Final = 5
_DIALOG_BUTTON_MM: Final = 16.0
_DIALOG_LEAST_MM: Final = 14.0
_DIALOG_HEAD_MM: Final = 44.0
_DIALOG_HEAD_LEAST_MM: Final = 9.0
_DIALOG_WORDS_MM: Final = 5.0
"""The minimum type size of a button's label, the same for a whole row."""
_BACK: Final = 1.9
"""The minimum share of the back button's width, so that its icon is beside its label in every dialog."""


def draw_dialog(
    stage: SceneContext, head: Heading, offers: Sequence[Offer], *more: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a heading and buttons in the middle of the screen, and the status strip.

    ``more`` contains groups of buttons that begin new rows.
    """
    mm, whole = stage.mm, page_room(stage)
    room = whole.centre(mm(_DIALOG_MM) if len(offers) <= _FEW and not more else whole.w, whole.h)
    rows: list[list[Offer]] = []
    for group in (offers, *more):
        legible = [_legible(stage, offer) for offer in group]
        rows += rows_of(stage, room.w, widened(stage, legible, _OWN_SHARE))
    gaps = (len(rows) - 1) * mm(GAP_MM)
    fair = (room.h - mm(_DIALOG_HEAD_MM / 2) - gaps) // len(rows)
    apart, low = mm(4), mm(_DIALOG_LEAST_MM)
    if room.h - len(rows) * low - gaps - apart < mm(_DIALOG_HEAD_LEAST_MM):
        is_held = any(offer.button.hold_ms for row in rows for offer in row)
        apart, low = mm(1), mm(HELD_MM if is_held else BUTTON_MM)
    tall = len(rows) * max(low, min(mm(_DIALOG_BUTTON_MM), fair)) + gaps
    upper = min(mm(_DIALOG_HEAD_MM), room.h - tall - apart)
    room = room.centre(room.w, upper + apart + tall)
    top, rest = room.split_top(upper, apart)
    buttons, _spare = rest.split_top(tall)
    return page(stage, (*head_parts(stage, top, head), *place_offers(stage, buttons, rows)), "dialog")


def _legible(stage: SceneContext, offer: Offer) -> Offer:
    """Enlarge a button's label to the size used in dialogs."""
    size = offer.button.size_px and max(offer.button.size_px, stage.type_mm(_DIALOG_WORDS_MM))
    share = max(offer.share, _BACK) if offer.button.id == "back" else offer.share
    return msgspec.structs.replace(
        offer, button=msgspec.structs.replace(offer.button, size_px=size), share=share
    )


def question_page(
    stage: SceneContext, panels: Iterable[Block], head: Heading, offers: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a question in the middle of a ring, or alone if it wouldn't be readable there."""
    if fits_in_the_middle(stage, stage.ring.middle, head, offers, upright=True):
        return table_page(stage, panels, head, offers)
    return draw_dialog(stage, head, offers)
