"""Enrolment with a station: the ways to enrol, their progress, and a keyboard for the code."""

from functools import partial
from typing import Final

from kiosk.scenes.connection.connection import file_words, type_address
from kiosk.scenes.scene import CLOSE, OnTouch, Reply, SceneContext
from kiosk.scenes.selftest.sequence import self_test
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.heading import head_parts
from kiosk.scenes.widgets.keyboard import CODE_KEYS, typed_text_parts
from kiosk.scenes.widgets.page_parts import back_button, language_button, offer, page, page_room
from kiosk.scenes.widgets.rows import Offer, place_offers
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import TryCode
from kiosk.view.table_view import CodeOutcome, FileProblem
from sync.enrolment.agreement import LENGTH, in_groups
from sync.terminal.agent_contract import LinkPhase


def _is_not_enrolled(stage: SceneContext) -> bool:
    return stage.table.delivery.link is not LinkPhase.CONNECTED


@scene("join-code", when=_is_not_enrolled)
def type_code(stage: SceneContext, typed: str = "", *, tried: bool = False) -> tuple[Block, ...]:
    """Draw a keyboard for the enrolment code.

    tried: the code was sent, and its result is shown until a key is tapped.
    """
    mm = stage.mm
    room = page_room(stage)
    gap = mm(GAP_MM)
    waits = stage.table.enrolment.outcome is CodeOutcome.TRYING
    row, room = room.split_top(mm(13), gap)
    upright = room.h > room.w
    back, row = row.split_left(mm(20) if not upright else row.w // 2 - gap, gap)
    try_it, slip = row.split_right(mm(28), gap) if not upright else (row, row)
    if upright:
        slip, room = room.split_top(mm(13), gap)
    keys, words = room.split_bottom(max(CODE_KEYS.height(stage, room.w), room.h * 7 // 10), gap)
    _ = stage.words.gettext
    enough = len(typed) == LENGTH and not waits
    addresses = stage.table.enrolment.addresses
    intent = TryCode(addresses[0] if addresses else "", typed)
    attempt = OnTouch(Reply(intents=(intent,), becomes=type_code("", tried=True)))
    parts: tuple[Part, ...] = (
        back_button(stage, back, 3.6),
        *typed_text_parts(stage, slip, in_groups(typed), _("Station code")),
        Button(
            try_it, "try-code", _("Try it"), ButtonStyle.MAIN, "check", size_px=mm(4.2),
            enabled=enough, action=attempt,
        ),
        Paragraph(words, _explain(stage, tried=tried), mm(4.4), theme.CREAM),
        *CODE_KEYS.parts(stage, keys, typed, type_code, enabled=not waits),
    )  # fmt: skip
    return page(stage, parts)


def _explain(stage: SceneContext, *, tried: bool) -> str:
    _ = stage.words.gettext
    enrolment = stage.table.enrolment
    if not tried:
        where = enrolment.addresses[0] if enrolment.addresses else _("the station on the cable")
        return _("Judge: tap “Show a code” on the Terminals page. It will be checked with {where}.").format(
            where=where
        )
    match enrolment.outcome:
        case CodeOutcome.TRYING:
            return _("One moment: this takes a few seconds…")
        case CodeOutcome.WRONG:
            return _("That code is wrong and can't be used again. Get a new one from the station.")
        case CodeOutcome.NOT_VALID:
            return _("The station has no valid code right now. Get a new one from it.")
        case CodeOutcome.NOT_REACHED:
            return _("The station isn't answering. Check its address and the cable, then try again.")
        case CodeOutcome.NOT_PROVEN:
            return _("This station couldn't prove that the code is its own. Don't trust it; call the judge.")
        case CodeOutcome.NONE:
            return _("The terminal is enrolled.")


_DIGITS: Final = 3
"""The size of the groups in which the check code is shown."""


@scene("enrol", when=_is_not_enrolled)
def enrol_terminal(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the number to compare with the station's, the fault in a file, or the ways to enrol."""
    mm = stage.mm
    room = page_room(stage)
    buttons, room = room.split_bottom(mm(13), mm(3))
    enrolment = stage.table.enrolment
    if enrolment.check_code:
        parts = _compare(stage, room)
    elif enrolment.file_problem is not None:
        parts = _file(stage, room, enrolment.file_problem)
    else:
        parts = _ways(stage, room)
    return page(stage, (*parts, *place_offers(stage, buttons, [_offers(stage)])))


def _compare(stage: SceneContext, room: Rect) -> tuple[Part, ...]:
    _ = stage.words.gettext
    mm = stage.mm
    text, room = room.split_bottom(mm(24), mm(1))
    title, room = room.split_top(mm(10), mm(1))
    code = stage.table.enrolment.check_code
    number = f"{code[:_DIGITS]} {code[_DIGITS:]}"
    words = _(
        "Judge: open the station's Terminals page. Accept this terminal there only if the numbers match."
    )
    return (
        *_title_parts(stage, title, _("Compare this number")),
        Label(room, number, min(room.h, mm(34), room.w // 4), theme.CREAM, Typeface.BOLD, own_words=False),
        Paragraph(text, words, mm(5.2), theme.CREAM, align=Align.CENTRE),
    )


def _file(stage: SceneContext, room: Rect, problem: FileProblem) -> tuple[Part, ...]:
    _ = stage.words.gettext
    mm = stage.mm
    upper, room = room.split_top(min(mm(16), room.h // 4), mm(2))
    head = Heading(_("The file on the card can't be used"), "", "warning", Tone.LOUD)
    mend, room = room.split_bottom(min(mm(19), room.h // 3), mm(2))
    what = (
        _("Switch off and on again. If this happens again, the card is worn out: use another one.")
        if problem.fault is None
        else _(
            "Put the card in a computer and fix this in saloon.toml, or copy a new file to "
            "the card from the station's Terminals page. Then switch on again."
        )
    )
    parts: list[Part] = [*head_parts(stage, upper, head), Paragraph(mend, what, mm(4.6), theme.CREAM)]
    if problem.line:
        line, room = room.split_top(min(mm(13), room.h // 2), mm(2))
        number, wrote = line.split_left(mm(24), mm(3))
        name = _("Line {line}").format(line=problem.line)
        parts += [
            Box(line, theme.PARCHMENT, mm(1.5)),
            Label(number, name, mm(6), theme.BRICK, Typeface.BOLD),
            Label(wrote, problem.wrote, mm(6), theme.INK, Typeface.TEXT, Align.LEFT, own_words=False),
        ]
    said = file_words(stage.words, problem)
    return (*parts, Paragraph(room, said, mm(6), theme.BRASS, Typeface.BOLD))


def _ways(stage: SceneContext, room: Rect) -> tuple[Part, ...]:
    _ = stage.words.gettext
    mm = stage.mm
    title, room = room.split_top(mm(10), mm(2))
    revoked = stage.table.delivery.link is LinkPhase.REVOKED
    said = _("No longer recognised") if revoked else _("New terminal")
    place = stage.table.enrolment.place.removeprefix("serial ")
    cable = (
        _("The judge didn't accept this terminal. It will ask again in half a minute.")
        if stage.table.enrolment.refused
        else _("Looking for a station on the cable {place}. A number will appear here.").format(place=place)
        if place
        else _(
            "Plug this terminal into the station and start it with that cable set up: a "
            "number will appear here."
        )
    )
    code = _("Get a code from the station's Terminals page and type it here.")
    if stage.table.enrolment.outcome is CodeOutcome.TRYING:
        code = _("Checking the code. One moment…")
    ways = (
        ("cable", _("Cable"), cable),
        (
            "story",
            _("File"),
            _("Copy the provisioning file to the card as saloon.toml, then switch on again."),
        ),
        ("key", _("Code"), code),
    )
    lines = room.rows([1] * len(ways), mm(2))
    parts: list[Part] = [*_title_parts(stage, title, said)]
    for line, (icon, name, words) in zip(lines, ways, strict=True):
        sign, rest = line.split_left(mm(9), mm(3))
        called, text = rest.split_left(mm(22), mm(2))
        parts += (
            Icon(sign.centre(mm(9), min(mm(9), sign.h)), icon, theme.BRASS, theme.WOOD),
            Label(called, name, mm(6), theme.CREAM, Typeface.BOLD, Align.LEFT),
            Paragraph(text, words, mm(4.6), theme.CREAM),
        )
    return tuple(parts)


def _offers(stage: SceneContext) -> list[Offer]:
    _ = stage.words.gettext
    put = partial(offer, stage, size_mm=4.4)
    offers = [
        put("type-code", _("Type a code"), type_code(), 1.6, look=ButtonStyle.MAIN, icon="key"),
        put("type-address", _("Address"), type_address(), 1.2, icon="link"),
    ]
    if stage.table.delivery.link is not LinkPhase.NOT_ENROLLED:
        return [*offers, put("back", _("Back"), CLOSE, icon="back")]
    test = put("self-test", _("Self-test"), self_test(stage.table.parts), 1.2, icon="check")
    return [*offers, test, Offer(language_button(stage, stage.mm(4.4)), 1.2)]


def _title_parts(stage: SceneContext, room: Rect, words: str) -> tuple[Part, ...]:
    star, rest = room.split_left(stage.mm(9), stage.mm(2))
    return (
        Icon(star, "star", theme.BRASS, theme.WOOD),
        Label(rest, words, stage.mm(7), theme.CREAM, Typeface.SIGN, Align.LEFT),
    )
