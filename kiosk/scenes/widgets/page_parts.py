"""Common parts of scenes: buttons in rows, the middle of the ring, pages and dialogs."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypedDict, Unpack

import msgspec

from saloon.core.game.commands import CallJudge, Redo, Undo
from saloon.kiosk.scenes.scene import CLOSE, OnTouch, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.widgets.heading import HEAD_GAP_MM, Heading, Tone, head_parts, rule_button
from saloon.kiosk.scenes.widgets.strip import strip
from saloon.kiosk.ui.geometry import Rect, rotated_size
from saloon.kiosk.ui.parts import Align, Block, Button, ButtonStyle, Label, Part, Typeface
from saloon.kiosk.ui.ring import GAP_MM, STRIP_MM
from saloon.kiosk.view import theme

__all__ = ["Heading", "Tone", "head_parts"]
"""Names of the heading that scenes import together with these."""

HOLD_MS: Final = 800
"""How long to hold what cannot be taken back."""
MENU_HOLD_MS: Final = 500
"""How long to hold a panel for its player's menu."""
_BUTTON_MM: Final = 12.0
_BUTTON_BEST_MM: Final = 15.0
_HELD_MM: Final = 14.0
_HEAD_LEAST_MM: Final = 5.0
"""The least height of a head that can still be read."""
_ROOM_FOR_HEAD_MM: Final = 9.0
MOST_OFFERS: Final = 7
"""The buttons in the middle during a game, with one that is not always there, and the question mark."""
_NARROWER: Final = (0.8, 0.65, 0.5)
"""How much narrower buttons may be where the words above them would have no room."""
NOWHERE: Final = Rect(0, 0, 0, 0)


class Offer(msgspec.Struct, frozen=True):
    """A button that still looks for its place. share: its width beside the others."""

    button: Button
    share: float = 1.0


def page_room(stage: SceneContext) -> Rect:
    """Return the room of a page without a ring, as its reader sees it."""
    return Rect(0, 0, *rotated_size(_page_rects(stage)[0], stage.quarter_turns))


def page(stage: SceneContext, parts: Iterable[Part], name: str = "page") -> tuple[Block, ...]:
    """Draw a page without a ring, turned to its reader, and the strip below it."""
    rect, foot = _page_rects(stage)
    return (Block(name, rect, tuple(parts), stage.quarter_turns), strip(stage, foot))


def _page_rects(stage: SceneContext) -> tuple[Rect, Rect]:
    foot, rest = stage.glass.rect.split_bottom(stage.mm(STRIP_MM), stage.mm(0.8))
    return rest.inset(stage.mm(2)), foot


def page_head(
    stage: SceneContext, words: str, done: Button | None = None, *, size_mm: float = 7.0
) -> tuple[Rect, tuple[Part, ...]]:
    """Return the rectangle below a page's head, and the head: back, title and the done button."""
    mm = stage.mm
    top, rest = page_room(stage).split_top(mm(12), mm(GAP_MM))
    back, title = top.split_left(mm(24), mm(3))
    parts: tuple[Part, ...] = (back_button(stage, back, 4),)
    if done is not None:
        spot, title = title.split_right(mm(34), mm(GAP_MM))
        parts = (*parts, msgspec.structs.replace(done, rect=spot))
    label = Label(title, words, mm(size_mm), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False)
    return rest, (*parts, label)


def table_page(
    stage: SceneContext, panels: Iterable[Block], head: Heading, offers: Sequence[Offer]
) -> tuple[Block, ...]:
    """Draw a page with a ring: the panels, the middle turned to its reader, and the strip."""
    centre = middle(stage, stage.ring.middle, head, offers, quarter_turns=stage.quarter_turns)
    return (*panels, centre, strip(stage, stage.ring.strip))


def has_room(stage: SceneContext, buttons: int) -> bool:
    """Return whether the middle has room for a head and a number of buttons of the least width."""
    width, height = stage.ring.middle.w, stage.ring.middle.h
    button, gap = stage.mm(_BUTTON_MM), stage.mm(GAP_MM)
    rows = -(-buttons // max(1, (width + gap) // (button + gap)))
    return rows * (button + gap) + stage.mm(_ROOM_FOR_HEAD_MM) <= height


def rows_of(stage: SceneContext, width: int, offers: Sequence[Offer]) -> list[list[Offer]]:
    """Arrange buttons in as few rows as their least widths allow, in order, evenly filled.

    The way back is the first of the last row, on every scene.
    """
    ways = [offer for offer in offers if offer.button.id == "back"]
    rows = _balance_rows(stage, width, [*(offer for offer in offers if offer not in ways), *ways])
    last = rows[-1]
    rows[-1] = [*ways, *(offer for offer in last if offer not in ways)]
    return rows


def _balance_rows(stage: SceneContext, width: int, offers: Sequence[Offer]) -> list[list[Offer]]:
    least, step, gap = stage.mm(_BUTTON_MM), stage.mm(2), stage.mm(GAP_MM)
    needs = [stage.mm(_BUTTON_MM * offer.share) for offer in offers]
    counts = _fill_rows(width, needs, gap)
    while len(counts) > 1 and width > least:
        width -= step
        tighter = _fill_rows(width, needs, gap)
        if len(tighter) > len(counts):
            break
        counts = tighter
    rest = iter(offers)
    return [list(islice(rest, count)) for count in counts]


def _fill_rows(width: int, needs: Sequence[int], gap: int) -> list[int]:
    """Return how many buttons of these widths fit in each row."""
    counts = [0]
    used = 0
    for need in needs:
        if counts[-1] and used + gap + need > width:
            counts.append(0)
            used = 0
        used += need + (gap if counts[-1] else 0)
        counts[-1] += 1
    return counts


def place_offers(stage: SceneContext, room: Rect, rows: list[list[Offer]]) -> tuple[Button, ...]:
    """Place the buttons of rows in a room that they fill."""
    gap = stage.mm(GAP_MM)
    buttons = []
    for line, row in zip(room.rows([1] * len(rows), gap), rows, strict=True):
        spots = line.columns([offer.share for offer in row], gap)
        buttons += [
            msgspec.structs.replace(offer.button, rect=spot) for offer, spot in zip(row, spots, strict=True)
        ]
    return tuple(buttons)


def middle(
    stage: SceneContext, rect: Rect, head: Heading, offers: Sequence[Offer], *, quarter_turns: int = 0
) -> Block:
    """Draw the middle of the ring: what is said, with buttons below it."""
    width, height = rotated_size(rect, quarter_turns)
    room = Rect(0, 0, width, height)
    if not offers:
        return Block("middle", rect, head_parts(stage, room, head), quarter_turns)
    gap = stage.mm(GAP_MM)
    wanted = stage.mm((13 if width > stage.mm(60) else 16) if head.text else 8)
    if head.rule:
        wanted = max(wanted, stage.mm(_BUTTON_MM + GAP_MM))
    held = any(offer.button.hold_ms for offer in offers)
    side = stage.mm(_HELD_MM if held else _BUTTON_MM)
    rows = rows_of(stage, width, offers)
    for narrower in _NARROWER:
        if height - len(rows) * (side + gap) + gap >= wanted:
            break
        rows = rows_of(stage, width, [_narrow(offer, narrower) for offer in offers])
    least = len(rows) * (side + gap) - gap
    best = len(rows) * (stage.mm(_BUTTON_BEST_MM) + gap) - gap
    tall = max(least, min(best, height - wanted))
    buttons, top = room.split_bottom(tall, stage.mm(1.2))
    if head.rule and top.h < stage.mm(_BUTTON_MM + HEAD_GAP_MM):
        with_rule = (*offers, Offer(rule_button(stage, head, NOWHERE, "question")))
        plain = msgspec.structs.replace(head, rule="")
        asked = middle(stage, rect, plain, with_rule, quarter_turns=quarter_turns)
        if min(button.rect.y for button in asked.buttons) >= stage.mm(_HEAD_LEAST_MM):
            return asked
        # No room for a head: the button of the rule says what it would say.
        said = msgspec.structs.replace(with_rule[-1].button, label=head.title, look=ButtonStyle.CARD, icon="")
        rows = rows_of(stage, width, [_narrow(offer, _NARROWER[-1]) for offer in (*offers, Offer(said))])
        return Block("middle", rect, place_offers(stage, room, rows), quarter_turns)
    return Block(
        "middle", rect, (*head_parts(stage, top, head), *place_offers(stage, buttons, rows)), quarter_turns
    )


def _narrow(offer: Offer, narrower: float) -> Offer:
    least = _HELD_MM / _BUTTON_MM if offer.button.hold_ms else 1.0
    return Offer(offer.button, min(offer.share, max(least, offer.share * narrower)))


class ButtonOptions(TypedDict, total=False):
    """Further properties of a button; see ``Button``."""

    look: ButtonStyle
    icon: str
    small: str
    said: str
    enabled: bool
    hold_ms: int
    may_repeat: bool
    kin: tuple[str, ...]


def offer(
    stage: SceneContext,
    target: str,
    label: str,
    reply: Reply | Callable[[], Reply],
    share: float = 1.0,
    *,
    size_mm: float = 4.6,
    **options: Unpack[ButtonOptions],
) -> Offer:
    """Return a button with its reply. size_mm: of its text; a dialog enlarges what is too small there."""
    size, action = stage.mm(size_mm), OnTouch(reply)
    return Offer(Button(NOWHERE, target, label, size_px=size, action=action, **options), share)


def judge_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    """Call the judge; once called, open the page that says so, and where the call ends."""
    _ = stage.words.gettext
    if not stage.game.judge_called:
        words, said = _("Judge"), _("Call the judge")
        return offer(
            stage, "call-judge", words, command_reply(CallJudge()), share, size_mm=3.6, icon="bell", said=said
        )
    words = _("on the way") if stage.table.judge_coming else _("called")
    return offer(
        stage, "judge-called", words, _open_judge_called, share, size_mm=3.6, look=ButtonStyle.MAIN,
        icon="bell", said=_("Judge called"),
    )  # fmt: skip


def undo_offer(stage: SceneContext, share: float = 1.0, reply: Reply | None = None) -> Offer:
    """Take the last step back; beyond the current turn a judge must. reply: where steps belong together."""
    words, may = stage.words.gettext("Undo"), stage.table.may_undo > 0
    if reply is None and may and not stage.table.may_undo_freely:
        said, ask = stage.words.gettext("Judge: undo"), partial(_ask_judge_to_undo, stage)
        return offer(stage, "undo-judge", words, ask, share, size_mm=3.6, icon="lock", said=said)
    undo = reply or command_reply(Undo(1))
    return offer(stage, "undo", words, undo, share, size_mm=3.6, icon="undo", enabled=may)


def _ask_judge_to_undo(stage: SceneContext) -> Reply:
    from saloon.kiosk.scenes.judge.pin import ask_judge

    return ask_judge(stage, Undo(1))


def redo_offers(stage: SceneContext, share: float = 1.0) -> tuple[Offer, ...]:
    """Enter again what the last undo took back; nothing where nothing was."""
    if not stage.table.may_redo:
        return ()
    words = stage.words.gettext("Redo")
    return (offer(stage, "redo", words, command_reply(Redo()), share, size_mm=3.6, icon="redo"),)


def menu_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    """Return the button of the table's menu."""
    return offer(stage, "menu", stage.words.gettext("Menu"), _open_menu, share, size_mm=3.6, icon="menu")


def table_offers(stage: SceneContext, undo: Offer | None = None) -> tuple[Offer, ...]:
    """Return the buttons that every scene of a table ends with. undo: instead of the usual one.

    Where the middle has no room for redo, the menu has it.
    """
    redo = redo_offers(stage) if has_room(stage, MOST_OFFERS) else ()
    return (undo or undo_offer(stage), *redo, judge_offer(stage), menu_offer(stage))


def back_offer(stage: SceneContext, share: float = 1.0, reply: Reply = CLOSE, *, label: str = "") -> Offer:
    """Return the button that goes back one scene. label: what going back answers, if anything."""
    words = label or stage.words.gettext("Back")
    return offer(stage, "back", words, reply, share, size_mm=3.6, icon="back")


def back_button(stage: SceneContext, rect: Rect, size_mm: float = 4.2, reply: Reply = CLOSE) -> Button:
    """Return the button that goes back one scene, at a place of its own. size_mm: of its text."""
    words, size = stage.words.gettext("Back"), stage.mm(size_mm)
    return Button(rect, "back", words, icon="back", size_px=size, action=OnTouch(reply))


def _open_judge_called() -> Reply:
    from saloon.kiosk.scenes.judge.judge_called import JudgeCalledScene

    return Reply(opens=JudgeCalledScene())


def _open_menu() -> Reply:
    from saloon.kiosk.scenes.settings.menu import MenuScene

    return Reply(opens=MenuScene())


_DIALOG_MM: Final = 120.0
_FEW: Final = 5
_DIALOG_BUTTON_MM: Final = 16.0
_DIALOG_LEAST_MM: Final = 14.0
_DIALOG_HEAD_MM: Final = 34.0
_DIALOG_WORDS_MM: Final = 4.8
"""The least size of a button's words: all in a row look alike."""
_BACK: Final = 1.9
"""The least share of the way back: its icon is beside its label in every dialog."""


def dialog(stage: SceneContext, head: Heading, offers: Sequence[Offer]) -> tuple[Block, ...]:
    """Draw a head and buttons below it in the middle of the glass, and the strip."""
    mm, whole = stage.mm, page_room(stage)
    room = whole.centre(mm(_DIALOG_MM) if len(offers) <= _FEW else whole.w, whole.h)
    rows = rows_of(stage, room.w, [_legible(stage, offer) for offer in offers])
    gaps = (len(rows) - 1) * mm(GAP_MM)
    fair = (room.h - mm(_DIALOG_HEAD_MM / 2) - gaps) // len(rows)
    tall = len(rows) * max(mm(_DIALOG_LEAST_MM), min(mm(_DIALOG_BUTTON_MM), fair)) + gaps
    upper = min(mm(_DIALOG_HEAD_MM), room.h - tall - mm(4))
    room = room.centre(room.w, upper + mm(4) + tall)
    top, rest = room.split_top(upper, mm(4))
    buttons, _spare = rest.split_top(tall)
    return page(stage, (*head_parts(stage, top, head), *place_offers(stage, buttons, rows)), "dialog")


def _legible(stage: SceneContext, offer: Offer) -> Offer:
    """Enlarge a button of the table's middle to the size of a dialog."""
    size = offer.button.size_px and max(offer.button.size_px, stage.mm(_DIALOG_WORDS_MM))
    share = max(offer.share, _BACK) if offer.button.id == "back" else offer.share
    return Offer(msgspec.structs.replace(offer.button, size_px=size), share)
