"""The end of a confirmed game as a story: each player's fate and winnings on their own side of the table."""

from collections.abc import Iterator

from core.game.ending.record_sheet import SheetLine
from core.game.state.game import Phase, Seat
from core.terms import SeatNo
from kiosk.scenes.ending.closed import (
    closing_offers,
    closing_page,
    delivery_texts,
    how_paid,
    is_received,
    winnings_page,
)
from kiosk.scenes.ending.ending_reasons import PaperLine, because_words, ending_words, paper_lines
from kiosk.scenes.pages import Page
from kiosk.scenes.scene import OnTouch, SceneContext
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, panel_px, short_names
from kiosk.scenes.widgets.dialogs import code_page, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import back_offer, menu_offer, offer, page, page_head, table_page
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.view import theme
from kiosk.view.final_story import OUT, FinalLine, final_line, sheet_lines, turn_of

_CHART = Page("play.story:life_chart")
_BROAD_MM = 36.0
_MONEY_MM = 6.6
_ICON_MM = 5.4


def _has_lines(stage: SceneContext) -> bool:
    return stage.is_in(Phase.CONFIRMED) and bool(sheet_lines(stage.game, stage.edition))


@scene("confirmed")
def confirmed(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the story once the station has the sheet, otherwise the winnings, or only thanks without them."""
    _ = stage.words.gettext
    if not sheet_lines(stage.game, stage.edition):
        icon = "check" if is_received(stage) else "story"
        return closing_page(stage, icon, _("Thank you!"), delivery_texts(stage)[0])
    if is_received(stage):
        return _ring(stage, offer(stage, "winnings", _("Winnings"), all_winnings(), 2, icon="laurel"))
    opens = offer(stage, "final-story", _("Story"), final_story(), 1.2, icon="story")
    return winnings_page(stage, (*closing_offers(stage), opens))


@scene("winnings", when=_has_lines)
def all_winnings(stage: SceneContext) -> tuple[Block, ...]:
    """List all players' winnings."""
    return winnings_page(stage, (back_offer(stage),))


@scene("final-story", when=_has_lines)
def final_story(stage: SceneContext) -> tuple[Block, ...]:
    """Draw each player's end of the game, with a button to go back."""
    return _ring(stage, back_offer(stage))


def _ring(stage: SceneContext, first: Offer) -> tuple[Block, ...]:
    _, lines = stage.words.gettext, sheet_lines(stage.game, stage.edition)
    chart, code = _("Chart"), _("Take home")
    offers = (
        first,
        *((offer(stage, "story-chart", chart, _CHART, 1.6, icon="chart"),) if stage.game.turns else ()),
        *((offer(stage, "take-home", code, take_home(), 2, icon="qr"),) if stage.table.story_code else ()),
        menu_offer(stage),
    )
    text, brief = delivery_texts(stage) if is_received(stage) else ("", "")
    text = f"{because_words(stage)} {text}".strip()
    head = Heading(ending_words(stage), text, "laurel", brief=brief, is_optional=True)

    def panel(stage: SceneContext, seat: Seat) -> Block:
        return _panel(stage, seat, lines[seat.seat - 1])

    return table_page(stage, panel, head, offers)


def _final(stage: SceneContext, line: SheetLine) -> FinalLine:
    names = short_names(stage.game.seats)
    return final_line(stage.game, stage.moments, line, stage.words, names)


def _panel(stage: SceneContext, seat: Seat, line: SheetLine) -> Block:
    mm, final, is_out = stage.mm, _final(stage, line), line.fate in OUT
    parts, body = card(stage, seat, SeatCardState.OUT if is_out else SeatCardState.PLAIN)
    ink, soft, paper = theme.INK, theme.INK_SOFT, theme.PARCHMENT
    if is_out:
        ink, soft, paper = theme.CREAM, theme.CREAM_SOFT, theme.ASHES
    is_broad, size = body.w >= mm(_BROAD_MM), stage.type_mm(5)
    frame = body.inset(mm(0.4))
    room = frame.inset(mm(1.4 if is_broad else 0.5), mm(0.5))
    align = Align.RIGHT if is_broad else Align.LEFT
    if is_broad:
        upper, lower = room.rows([1.15, 1], 0)
        money, role = upper.split_left(stage.types.width(final.money, Typeface.BOLD, mm(_MONEY_MM)), mm(1))
    else:
        money, rest = room.split_top(mm(8), 0)
        role, lower = rest.split_top(mm(6), mm(0.6))
    sign: tuple[Part, ...] = ()
    words = lower
    if line.won or is_out:
        spot, words = lower.split_left(mm(_ICON_MM), mm(1))
        spot = spot if is_broad else spot.split_top(mm(_ICON_MM))[0]
        sign = (Icon(spot, "laurel" if line.won else "tombstone", soft, paper),)
    said = stage.words.gettext("{name}'s end of the game").format(name=seat.name)
    return on_ring(
        stage, seat,
        (
            *parts,
            Box(frame, paper, mm(1.2), soft, max(1, mm(0.3))),
            Label(money, final.money, mm(_MONEY_MM), ink, Typeface.BOLD, Align.LEFT),
            Label(role, final.role, size, ink, align=align),
            *sign,
            Paragraph(
                words, final.fate, size, soft, brief=final.brief_fate, from_top=not is_broad,
                least_px=panel_px(stage),
            ),
            Button(
                body, f"seat-{seat.seat}-end", "", ButtonStyle.BARE, said=said,
                action=OnTouch(own_end(seat.seat)),
            ),
        ),
    )  # fmt: skip


@scene("own-end", when=_has_lines)
def own_end(stage: SceneContext, seat: SeatNo) -> tuple[Block, ...]:
    """Draw a player's fate, the eliminations by them, and how their winnings came about."""
    stage = stage.in_language_of(seat)
    _, player, mm = stage.words.gettext, stage.seat(seat), stage.mm
    final = _final(stage, sheet_lines(stage.game, stage.edition)[seat - 1])
    rest, head = page_head(stage, f"{player.name} · {final.role}")
    left, right = rest.columns([1.4, 1], mm(2)) if rest.w >= rest.h else rest.rows([1, 1], mm(2))
    _role, *reasons = how_paid(stage, final.sheet, is_brief=True)
    icon = "laurel" if final.sheet.winnings > 0 else "spent"
    money = ((icon, final.money, ""), *(("star", reason, "") for reason in reasons))
    parts = (
        *paper_lines(stage, left, _("What happened"), tuple(_events(stage, player, final))),
        *paper_lines(stage, right, _("Winnings"), money),
    )
    return page(stage, (*head, *parts), "own-end")


def _events(stage: SceneContext, player: Seat, final: FinalLine) -> Iterator[PaperLine]:
    _, game = stage.words.gettext, stage.game
    if player.character is not None:
        yield "cards", player.character.value, ""
    turn_words, names = _("turn {number}"), short_names(game.seats)
    for number, elimination in enumerate(game.eliminations):
        if elimination.by == player.seat != elimination.seat:
            turn = turn_of(stage.moments, number)
            fallen = _("eliminated {name}").format(name=names[elimination.seat - 1])
            yield "bullet", fallen, turn_words.format(number=turn) if turn else ""
    yield "tombstone" if final.sheet.fate in OUT else "check", final.fate, ""
    played = game.turns_played[player.seat - 1] if game.turns_played else 0
    if played:
        words = stage.words.ngettext("{count} turn played", "{count} turns played", played)
        yield "arrow", words.format(count=played), ""


@scene("take-home", when=lambda stage: stage.table.story_code is not None)
def take_home(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the story of the game as a code, which needs no connection."""
    _, code = stage.words.gettext, stage.table.story_code
    if code is None:
        return page(stage, ())
    text = _("Scan the code with your phone to keep this game's story as text. No connection is needed.")
    return code_page(stage, code, _("Take the story home"), text)
