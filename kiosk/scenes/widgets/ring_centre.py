"""The middle of the ring: a heading with buttons below it.

Text stays readable across the table. Without enough room, buttons give way step by step: first their extra
width goes, then optional buttons, then the labels of buttons with well-known icons.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.head_fit import Heading, Weight
from kiosk.scenes.widgets.heading import HEAD_GAP_MM, head_fit, head_parts, rule_button
from kiosk.scenes.widgets.rows import BUTTON_MM, HELD_MM, OWN_SHARE, Offer, place_offers, rows_of, widened
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.ui.geometry import Rect, rotated_size
from kiosk.ui.table_layout import GAP_MM
from kiosk.ui.text import LEGIBLE_MM, SOFT_HYPHEN

_BUTTON_BEST_MM: Final = 15.0
_HEAD_LEAST_MM: Final = 3.6
"""The minimum height of a readable heading."""
_WIDE_MM: Final = 60.0
_NARROWER: Final = (0.8, 0.65, 0.5)
"""Factors for the width of buttons that would leave no room for the heading."""
_APART_MM: Final = 0.8
_SIGNS: Final = frozenset({"undo", "undo-judge", "redo", "menu", "lock", "story-chart", "take-home"})
_KNOWN: Final = (
    _SIGNS,
    _SIGNS | {"call-judge", "back"},
    _SIGNS | {"call-judge", "back", "reshuffle", "winnings"},
)
"""Buttons that may lose their labels, if there is less and less room."""
NOWHERE: Final = Rect(0, 0, 0, 0)


class _Plan(msgspec.Struct, frozen=True):
    """Rows of buttons below a heading.

    head: the heading, without its rule if a button opens the rule.
    given_up: the most important part of the heading that is left out.
    """

    head: Heading
    top: Rect
    buttons: Rect
    rows: list[list[Offer]]
    given_up: Weight = Weight.NOTHING


def middle(
    stage: SceneContext, rect: Rect, head: Heading, offers: Sequence[Offer], *, quarter_turns: int = 0
) -> Block:
    """Draw a heading and buttons in the middle of the ring, turned towards their reader."""
    room = Rect(0, 0, *rotated_size(rect, quarter_turns))
    if not offers:
        return Block("middle", rect, head_parts(stage, room, head), quarter_turns)
    plan = _legible_plan(stage, room, head, offers) or _tight_plan(stage, room, head, offers)
    if plan.top.h < stage.mm(_HEAD_LEAST_MM) and head.rule:
        # The title becomes the label of the button that opens the rule.
        button = rule_button(stage, head, NOWHERE, "question")
        said = msgspec.structs.replace(button, label=head.title, look=ButtonStyle.CARD, icon="")
        rows = rows_of(stage, room.w, [_narrow(offer, _NARROWER[-1]) for offer in (*offers, Offer(said))])
        return Block("middle", rect, place_offers(stage, room, rows), quarter_turns)
    parts = (*head_parts(stage, plan.top, plan.head), *place_offers(stage, plan.buttons, plan.rows))
    return Block("middle", rect, parts, quarter_turns)


def fits_in_the_middle(
    stage: SceneContext, rect: Rect, head: Heading, offers: Sequence[Offer], *, upright: bool = False
) -> bool:
    """Return whether a heading and buttons fit in the middle at a readable size, apart from remarks.

    upright: the middle may also stay unturned.
    """
    turns = dict.fromkeys((stage.quarter_turns, 0) if upright else (stage.quarter_turns,))
    rooms = (Rect(0, 0, *rotated_size(rect, turn)) for turn in turns)
    plans = (_legible_plan(stage, room, head, offers) for room in rooms)
    return any(plan is not None and plan.given_up <= Weight.REMARK for plan in plans)


def _legible_plan(stage: SceneContext, room: Rect, head: Heading, offers: Sequence[Offer]) -> _Plan | None:
    """Return the plan for these contents, which is cached, with the buttons' current replies."""
    key = ("middle", stage.glass, stage.table.preferences.theme, room, head, tuple(offers), stage.spoken_to)
    plan = stage.types.remember(key, lambda: _new_plan(stage, room, head, offers))
    if plan is None:
        return None
    actions = {offer.button.id: offer.button.action for offer in _with_rule(stage, head, list(offers))}
    rows = [[each.with_button(action=actions[each.button.id]) for each in row] for row in plan.rows]
    return msgspec.structs.replace(plan, rows=rows)


def _new_plan(stage: SceneContext, room: Rect, head: Heading, offers: Sequence[Offer]) -> _Plan | None:
    """Return the first plan that leaves out no more than remarks, or else the one that leaves out least.

    None if no plan is readable.
    """
    least: _Plan | None = None
    for plan in _legible_plans(stage, room, head, offers):
        if plan.given_up <= Weight.REMARK:
            return plan
        if least is None or plan.given_up < least.given_up:
            least = plan
    return least


def _legible_plans(
    stage: SceneContext, room: Rect, head: Heading, offers: Sequence[Offer]
) -> Iterator[_Plan]:
    """Yield readable plans, those with the most informative buttons first.

    The heading opens the rule if it is large enough. Otherwise a button does, or only the menu.
    """
    ruled = msgspec.structs.replace(head, rule="")
    labelled, icons = tuple(_labelled(stage, offers)), tuple(_with_icons(stage, offers))
    ways = [(labelled, head, False), (icons, head, False)]
    if head.rule:
        ways = [ways[0], (labelled, ruled, True), ways[1], (icons, ruled, True), (icons, ruled, False)]
    needed = [_at_most(offer, stage.legible_px) for offer in offers if not offer.is_optional]
    fewest = widened(stage, [_icon_only(offer, _KNOWN[-1]) for offer in needed], 1, 2)
    ways.append(((fewest,), ruled, False))
    for variants, words, has_button in ways:
        for each in variants:
            buttons = _with_rule(stage, head, each) if has_button else each
            yield from _best(stage, tuple(_plans(stage, room, words, buttons)))
    for each in (*labelled, *icons):
        yield from _beside(stage, room, ruled, each)


def _beside(stage: SceneContext, room: Rect, head: Heading, offers: Sequence[Offer]) -> Iterator[_Plan]:
    """Yield a readable plan with the heading beside a single row of buttons, for a low and wide middle."""
    wide = _used(stage, offers)
    if wide + stage.mm(BUTTON_MM) > room.w or room.h < stage.mm(_row_mm(offers)):
        return
    buttons, top = room.split_right(wide, stage.mm(GAP_MM))
    buttons = buttons.centre(wide, stage.mm(_BUTTON_BEST_MM))
    yield from _best(stage, (_Plan(head, top, buttons, [list(offers)]),))


def _best(stage: SceneContext, plans: Sequence[_Plan]) -> Iterator[_Plan]:
    """Yield the readable plan whose heading shows the most, if there is one."""
    legible = [(plan, head_fit(stage, plan.top, plan.head)) for plan in plans if _has_room(stage, plan)]
    fitting = [(plan, fitted) for plan, fitted in legible if fitted.is_legible]
    if fitting:
        plan, fitted = min(fitting, key=lambda each: (not each[1].is_whole, each[1].given_up))
        yield msgspec.structs.replace(plan, given_up=fitted.given_up)


def _labelled(stage: SceneContext, offers: Sequence[Offer]) -> Iterator[list[Offer]]:
    """Yield the buttons with less and less width. Large type becomes smaller before labels are lost."""
    smaller = tuple(_at_most(offer, stage.legible_px) for offer in offers)
    for sized in dict.fromkeys((tuple(offers), smaller)):
        yield widened(stage, sized, OWN_SHARE)
        yield widened(stage, sized, 1)
        if any(offer.button.id == "redo" for offer in sized):
            # Redo may go first, as it is needed only right after an accidental undo.
            yield widened(stage, [_icon_only(offer, _KNOWN[0]) for offer in sized], 1)
        if any(offer.is_optional for offer in sized):
            yield widened(stage, [offer for offer in sized if not offer.is_optional], 1)


def _with_icons(stage: SceneContext, offers: Sequence[Offer]) -> Iterator[list[Offer]]:
    """Yield the buttons with well-known icons instead of labels, and with labels in two lines."""
    needed = [offer for offer in offers if not offer.is_optional]
    sizes = dict.fromkeys((stage.type_mm(LEGIBLE_MM), stage.legible_px))
    for known, some, lines in ((0, offers, 1), (0, needed, 1), (0, needed, 2), (1, needed, 2)):
        for size in sizes:
            icons = [_icon_only(_at_most(offer, size), _KNOWN[known]) for offer in some]
            yield widened(stage, icons, 1, lines)


def _at_most(offer: Offer, size_px: int) -> Offer:
    return offer.with_button(size_px=min(offer.button.size_px, size_px))


def _icon_only(offer: Offer, known: frozenset[str]) -> Offer:
    button = offer.button
    if button.id not in known or not button.icon:
        return offer
    said = button.said or button.label.replace(SOFT_HYPHEN, "")
    return offer.with_button(1.0, label="", small="", said=said)


def _with_rule(stage: SceneContext, head: Heading, offers: list[Offer]) -> list[Offer]:
    return [*offers, Offer(rule_button(stage, head, NOWHERE, "question"))] if head.rule else offers


def _plans(stage: SceneContext, room: Rect, head: Heading, offers: Sequence[Offer]) -> Iterator[_Plan]:
    """Yield plans with the same rows: first with high buttons, then with a high heading."""
    gap, side = stage.mm(GAP_MM), stage.mm(_row_mm(offers))
    rows = rows_of(stage, room.w, offers)
    if any(_used(stage, row) > room.w for row in rows):
        return
    wanted = stage.mm((13 if room.w > stage.mm(_WIDE_MM) else 16) if head.text else 8)
    if head.rule:
        wanted = max(wanted, stage.mm(BUTTON_MM + GAP_MM))
    least = len(rows) * (side + gap) - gap
    best = len(rows) * (stage.mm(_BUTTON_BEST_MM) + gap) - gap
    for tall in dict.fromkeys((max(least, min(best, room.h - wanted)), least)):
        if tall < room.h:
            buttons, top = room.split_bottom(tall, stage.mm(_APART_MM))
            yield _Plan(head, top, buttons, rows)


def _used(stage: SceneContext, row: Sequence[Offer]) -> int:
    return sum(int(stage.mm(BUTTON_MM) * offer.share) for offer in row) + (len(row) - 1) * stage.mm(GAP_MM)


def _tight_plan(stage: SceneContext, room: Rect, head: Heading, offers: Sequence[Offer]) -> _Plan:
    """Return the plan with the most room for the heading, where not everything can be readable."""
    # Without second lines, labels can use two lines.
    few = [_icon_only(each, _KNOWN[-1]).with_button(small="") for each in offers if not each.is_optional]
    plain = msgspec.structs.replace(head, rule="")
    plans: list[_Plan] = []
    for narrower in _NARROWER:
        tight = [_narrow(offer, narrower) for offer in few]
        plans += (plan for plan in _plans(stage, room, head, tight) if _has_room(stage, plan))
        plans += _plans(stage, room, plain, _with_rule(stage, head, tight))
    if not plans:
        nothing, _rest = room.split_top(0)
        tight = [_narrow(offer, _NARROWER[-1]) for offer in few]
        return _Plan(plain, nothing, room, rows_of(stage, room.w, tight))
    return max(plans, key=lambda plan: plan.top.h)


def _has_room(stage: SceneContext, plan: _Plan) -> bool:
    return not plan.head.rule or plan.top.h >= stage.mm(BUTTON_MM + HEAD_GAP_MM)


def _row_mm(offers: Sequence[Offer]) -> float:
    return HELD_MM if any(offer.button.hold_ms for offer in offers) else BUTTON_MM


def _narrow(offer: Offer, narrower: float) -> Offer:
    least = HELD_MM / BUTTON_MM if offer.button.hold_ms else 1.0
    return msgspec.structs.replace(offer, share=min(offer.share, max(least, offer.share * narrower)))
