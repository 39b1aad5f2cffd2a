"""Scenes of a table that accepts no more entries: confirmed, voided, replaced, or with a doubtful card."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from core.editions.winnings_table import Counted
from core.game.ending.record_sheet import SheetLine
from core.game.ending.winnings import PayoutKind, PayoutPart, PayoutTerm
from core.game.state.game import Confirmation
from kiosk.i18n import role_name
from kiosk.scenes.connection.offline_transfer import carry_offer, is_offered
from kiosk.scenes.ending.ending_reasons import because_words, ending_words
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.card import name_label, short_names
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import judge_menu_reply, menu_offer, offer, page, page_room
from kiosk.scenes.widgets.rows import Offer, place_offers
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.final_story import OUT, sheet_lines
from kiosk.view.table_view import CardDoubt


@scene("disagreement")
def journals_disagree(stage: SceneContext) -> Dialog:
    """Explain that the memory card is a copy or from another terminal, so that the judge has to decide."""
    _ = stage.words.gettext
    menu = judge_menu_reply(stage)
    judge = offer(stage, "judge-menu", _("Judge"), menu, 3, look=ButtonStyle.MAIN, icon="key")
    title = _("Two journals disagree")
    text = _(
        "The station's entries for this terminal don't match this card: it may be a copy. Both "
        "are kept. Continue on paper and call the judge."
    )
    if stage.table.doubt is CardDoubt.FOREIGN:
        title = _("Another terminal's card")
        text = _(
            "This card was set up in another terminal: it was moved here, or it's a copy. "
            "Everything on it is kept. Continue on paper and call the judge."
        )
    return Dialog(stage, Heading(title, text, "warning", Tone.LOUD), (judge,), back=None)


_MENU_MM: Final = 40.0
_WORDS_MM: Final = 5.0
"""The type size of the buttons' labels."""


@scene("voided")
def voided(stage: SceneContext) -> tuple[Block, ...]:
    """Explain that the game doesn't count, and that the table has to wait."""
    _ = stage.words.gettext
    text = _("The judge has voided this game: it doesn't count. Stay here until the judge tells you more.")
    return closing_page(stage, "cross", _("Game voided"), text)


@scene("relieved")
def relieved(stage: SceneContext) -> tuple[Block, ...]:
    """Explain that another terminal has the game, and that no entries are lost."""
    _ = stage.words.gettext
    if is_received(stage):
        text = _(
            "Another terminal has taken over this game: continue there. The station has "
            "everything that was entered here."
        )
    else:
        text = _(
            "Another terminal has taken over this game: continue there. The last entries "
            "made here are saved; leave this terminal on until the station has received them."
        )
    return closing_page(stage, "back", _("Replaced"), text)


@scene("taking-over")
def taking_over(stage: SceneContext) -> tuple[Block, ...]:
    """Show how much of the game is still to be received."""
    text = stage.words.ngettext(
        "The game is coming from the terminal that was here before. {count} step to go.",
        "The game is coming from the terminal that was here before. {count} steps to go.",
        stage.table.steps_to_come,
    ).format(count=stage.table.steps_to_come)
    return closing_page(stage, "story", stage.words.gettext("Taking over"), text)


def closing_page(stage: SceneContext, icon: str, title: str, text: str) -> tuple[Block, ...]:
    """Draw a page with an icon, a title, the table's number, a text, and the closing buttons."""
    mm, _ = stage.mm, stage.words.gettext
    buttons, room = page_room(stage).split_bottom(mm(13), mm(2))
    room = room.centre(min(room.w, mm(120)), min(room.h, mm(62)))
    sign, room = room.split_top(mm(20), mm(3))
    words, room = room.split_top(mm(12), mm(2))
    table = _("Table {table} · round {round}").format(table=stage.game.table, round=stage.game.round)
    number, room = room.split_top(mm(6), mm(1))
    parts: tuple[Part, ...] = (
        Icon(sign, icon, theme.BRASS, theme.WOOD),
        Label(words, title, mm(11), theme.CREAM, Typeface.SIGN),
        Label(number, table, mm(5), theme.CREAM_SOFT),
        Paragraph(room, text, mm(5), theme.CREAM, align=Align.CENTRE),
        *_place(stage, buttons, closing_offers(stage)),
    )
    return page(stage, parts)


def closing_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the menu, and a button to carry the result if the station lacks entries."""
    owes = not is_received(stage) and is_offered(stage)
    return menu_offer(stage), *((carry_offer(stage, 1.6),) if owes else ())


def _place(stage: SceneContext, room: Rect, offers: Sequence[Offer]) -> tuple[Button, ...]:
    mm, wide = stage.mm, sum(_MENU_MM * offer.share for offer in offers)
    sized = [offer.with_button(size_px=mm(_WORDS_MM)) for offer in offers]
    return place_offers(stage, room.centre(min(room.w, mm(wide)), room.h), [sized])


_BUTTON_MM: Final = 12.5
_HEAD_MM: Final = 17.0
_TIGHT_HEAD_MM: Final = 10.5
_LEAST_ROW_MM: Final = 10.5
_MOST_ROW_MM: Final = 17.0
_TWO_COLUMNS_MM: Final = 110.0


def winnings_page(stage: SceneContext, offers: Sequence[Offer]) -> tuple[Block, ...]:
    """List all players' winnings with their reasons, above buttons."""
    thanks = stage.words.gettext("Thank you!")
    lines, (text, brief) = _lines(stage), delivery_texts(stage)
    mm, gap = stage.mm, stage.mm(GAP_MM)
    buttons, room = page_room(stage).split_bottom(mm(_BUTTON_MM), gap)
    is_wide = room.w >= room.h
    half = -(-len(lines) // 2)
    head_mm = _HEAD_MM * (2 - is_wide)
    is_tight = (room.h - mm(head_mm)) // (half if is_wide else len(lines)) < mm(_LEAST_ROW_MM)
    top, paper = room.split_top(mm(_TIGHT_HEAD_MM * (2 - is_wide) if is_tight else head_mm), gap)
    title, place = top.columns([1, 1.4], mm(4)) if is_wide else top.rows([1, 1.3], mm(1))
    names, words = title.rows([1.25, 0.001 if is_tight else 1], 0)
    ending, least = ending_words(stage), stage.legible_px
    parts = [
        Label(names, thanks, mm(9), theme.CREAM, Typeface.SIGN, Align.LEFT),
        Paragraph(place, text, mm(5), theme.CREAM, brief=brief, least_px=least),
        *_sheet(stage, paper, lines),
        *_place(stage, buttons, offers),
    ]
    if not is_tight:
        because = f"{ending} {because_words(stage)}"
        parts.append(Paragraph(words, because, mm(5), theme.CREAM, brief=ending, least_px=least))
    return page(stage, parts)


def is_received(stage: SceneContext) -> bool:
    """Return whether the station has everything that was entered here."""
    return stage.table.delivery.received >= stage.table.delivery.entered


def delivery_texts(stage: SceneContext) -> tuple[str, str]:
    """Return what happens to the record sheet, in a long and a short form."""
    _ = stage.words.gettext
    if stage.game.confirmed is Confirmation.CORRECTED:
        return _("The judge has entered another result at the station. Ask there for your winnings."), ""
    if is_received(stage):
        text = _(
            "The station has received the record sheet. Your next table will be announced or shown here."
        )
        return text, _("The station has received the record sheet.")
    text = _(
        "The record sheet is saved here and will be sent to the station once the terminal "
        "reconnects. Don't switch the terminal off."
    )
    return text, _("The record sheet is saved and will be sent. Don't switch the terminal off.")


def _lines(stage: SceneContext) -> tuple[SheetLine, ...]:
    """Return the lines of the record sheet by descending winnings, or an empty tuple if there are none."""
    lines = sheet_lines(stage.game, stage.edition)
    return tuple(sorted(lines, key=lambda line: (-line.winnings, line.seat)))


def _sheet(stage: SceneContext, paper: Rect, lines: tuple[SheetLine, ...]) -> Iterator[Part]:
    mm = stage.mm
    in_column = len(lines)
    if paper.w > mm(_TWO_COLUMNS_MM) and paper.inset(0, mm(1)).h // len(lines) < mm(_LEAST_ROW_MM):
        in_column = -(-len(lines) // 2)
    columns = paper.inset(mm(2), mm(1)).columns([1] * -(-len(lines) // in_column), mm(4))
    high = min(mm(_MOST_ROW_MM), columns[0].h // in_column)
    yield Box(paper, theme.PARCHMENT, mm(1.6))
    rows = [Rect(each.x, each.y + row * high, each.w, high) for each in columns for row in range(in_column)]
    for number, row in enumerate(rows[: len(lines)]):
        if number % in_column % 2 == 0:
            yield Box(row, theme.PARCHMENT_SHADE, mm(0.8))
    for row, line in zip(rows, lines, strict=False):
        yield from _row(stage, row.inset(mm(1.2), mm(0.4)), line)


def _row(stage: SceneContext, row: Rect, line: SheetLine) -> Iterator[Part]:
    mm, seat = stage.mm, stage.seat(line.seat)
    sign, rest = row.split_left(mm(6.5), mm(1.5))
    upper, lower = rest.rows([1.15, 1], 0)
    money, name = upper.split_right(mm(20), mm(2))
    size = min(mm(5.6), max(stage.legible_px, int(upper.h * 1.05)))
    if line.won or line.fate in OUT:
        yield Icon(sign, "laurel" if line.won else "tombstone", theme.INK_SOFT, theme.PARCHMENT)
    yield name_label(stage, seat, name, size, theme.INK)
    yield Label(money, stage.words.money(line.winnings), size, theme.INK, Typeface.BOLD, Align.RIGHT)
    how, brief = (" · ".join(how_paid(stage, line, is_brief=is_brief)) for is_brief in (False, True))
    small, soft, least = min(mm(4.9), max(stage.legible_px, lower.h)), theme.INK_SOFT, stage.legible_px
    yield Label(lower, how, small, soft, align=Align.LEFT, own_words=False, brief=brief, least_px=least)


def how_paid(stage: SceneContext, line: SheetLine, *, is_brief: bool) -> Iterator[str]:
    """Yield a player's role, the amounts that make up their winnings, and what they paid at the table.

    With ``is_brief``, eliminated players are counted instead of named.
    """
    _ = stage.words.gettext
    yield role_name(stage.words, line.last_role)
    for part in line.parts:
        if part.kind is PayoutKind.TABLE:
            yield _by_table(stage, part, line)
        elif part.eliminated is not None and not is_brief:
            name = short_names(stage.game.seats)[part.eliminated - 1]
            amount = f"{'+' * (part.dollars >= 0)}{stage.words.money(part.dollars)}"
            yield _("{amount} for eliminating {name}").format(amount=amount, name=name)
    rewards = Counter(part.dollars for part in line.parts if is_brief and part.eliminated is not None)
    for each, times in rewards.items():
        yield f"{'+' * (each >= 0)}{_term(stage, PayoutTerm(each, times, Counted.ELIMINATED))}"
    if line.spent:
        yield _("paid {price}").format(price=stage.words.money(line.spent))


def _by_table(stage: SceneContext, part: PayoutPart, line: SheetLine) -> str:
    _ = stage.words.gettext
    if terms := [term for term in part.terms if term.dollars]:
        return " + ".join(_term(stage, term) for term in terms)
    if not part.dollars:
        return _("no winnings")
    count = len(stage.game.seats)
    if part.printed.casefold() == line.last_role.value:
        return _("at a table of {count}").format(count=count)
    return _("“{row}”, at a table of {count}").format(row=part.printed, count=count)


def _term(stage: SceneContext, term: PayoutTerm) -> str:
    return f"{stage.words.money(term.each)} × {_counted(stage, term)}"


def _counted(stage: SceneContext, term: PayoutTerm) -> str:
    ngettext, count = stage.words.ngettext, term.times
    match term.counted:
        case Counted.OUTLAWS:
            return ngettext("{count} Outlaw", "{count} Outlaws", count).format(count=count)
        case Counted.PLAYERS:
            return ngettext("{count} player", "{count} players", count).format(count=count)
        case Counted.ELIMINATED:
            return ngettext("{count} eliminated", "{count} eliminated", count).format(count=count)
