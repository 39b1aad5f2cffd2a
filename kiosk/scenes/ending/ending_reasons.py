"""The reasons for an ending: eliminations, the rule that ended the game, and winnings by role."""

from collections.abc import Iterator
from typing import Final, assert_never

from core.editions.winnings_table import WinningsCase
from core.game.ending.winnings import RolePay, winnings_by_role
from core.game.in_words import BECAUSE, EVENT_CARDS
from core.game.state.duel import DuelBecause
from core.game.state.game import Phase
from core.terms import Ending
from kiosk.i18n import role_name
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.page_parts import back_button, page, page_room
from kiosk.ui.blocks import Align, Block, Box, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.final_story import killed_by, winners


def ending_words(stage: SceneContext) -> str:
    """Name the winners."""
    duel = stage.game.duel
    if duel is not None:
        winner = "" if duel.winner is None else stage.seat(duel.winner).name
        return stage.words.gettext("{name} wins the duel").format(name=winner)
    return winners(stage.game, stage.words)


def because_words(stage: SceneContext) -> str:
    """Name the rule that ended the game, or the reason why the duel is over."""
    _, duel, because = stage.words.gettext, stage.game.duel, stage.game.because
    if duel is None:
        return "" if because is None else f"{_(BECAUSE[because])} {stage.game.ruled}".rstrip()
    match duel.because:
        case DuelBecause.ELIMINATIONS:
            return _("Enough of the opponent's characters are out.")
        case DuelBecause.OPPONENT_LEFT:
            return _("The opponent has left.")
        case DuelBecause.OPPONENT_EJECTED:
            return _("The judge ejected the opponent.")
        case DuelBecause.RULING:
            return _("The judge has ruled: {reason}").format(reason=duel.ruling)
        case None:
            return ""
        case _:
            assert_never(duel.because)


_LINE_MM: Final = 6.4


@scene("ending-reasons", when=lambda stage: stage.is_in(Phase.ENDED))
def ending_reasons(stage: SceneContext) -> tuple[Block, ...]:
    """Draw one sheet with the eliminations, and another with the winnings by role."""
    _, mm, gap = stage.words.gettext, stage.mm, stage.mm(GAP_MM)
    room = page_room(stage)
    top, room = room.split_top(mm(14), gap)
    back, words = top.split_left(mm(26), mm(3))
    title, meaning = words.rows([1, 1], 0)
    left, right = room.columns([1.25, 1], gap) if room.w >= room.h else room.rows([1.3, 1], gap)
    parts = (
        back_button(stage, back),
        Label(title, ending_words(stage), mm(6.6), theme.CREAM, Typeface.BOLD, Align.LEFT),
        Paragraph(meaning, f"{because_words(stage)} {_winners(stage)}", mm(4.2), theme.CREAM_SOFT),
        *paper_lines(stage, left, _("Eliminations"), tuple(_fates(stage))),
        *paper_lines(stage, right, _("What each role wins"), tuple(_pays(stage))),
    )
    return page(stage, parts)


PaperLine = tuple[str, str, str]
"""An icon, a text, and a text at the end of the line."""


def paper_lines(
    stage: SceneContext, room: Rect, title: str, lines: tuple[PaperLine, ...]
) -> tuple[Part, ...]:
    """Draw lines on paper below a title."""
    mm = stage.mm
    inside = room.inset(mm(2.4), mm(1.4))
    head, inside = inside.split_top(mm(6), mm(0.6))
    parts: list[Part] = [
        Box(room, theme.PARCHMENT, mm(1.6)),
        Label(head, title, stage.legible_px, theme.INK_SOFT, Typeface.BOLD, Align.LEFT),
    ]
    high = min(mm(_LINE_MM * 1.3), inside.h // max(1, len(lines)))
    for icon, words, at_end in lines:
        line, inside = inside.split_top(high, 0)
        sign, text = line.split_left(mm(5), mm(1.4))
        end, text = text.split_right(mm(15) if at_end else 0, mm(1))
        side = min(mm(5), int(high * 0.8))
        size = min(stage.legible_px, int(high * 0.86))
        parts.append(Icon(sign.centre(side, side), icon, theme.INK_SOFT, theme.PARCHMENT))
        parts.append(Label(text, words, size, theme.INK, align=Align.LEFT, own_words=False))
        if at_end:
            parts.append(Label(end, at_end, size, theme.INK, Typeface.BOLD, Align.RIGHT))
    return tuple(parts)


def _fates(stage: SceneContext) -> Iterator[PaperLine]:
    _ = stage.words.gettext
    names = [seat.name for seat in stage.game.seats]
    for number, elimination in enumerate(stage.game.eliminations, 1):
        role = role_name(stage.words, elimination.role)
        name = names[elimination.seat - 1]
        yield "tombstone", f"{name} ({role}) · {killed_by(stage.game, number - 1, stage.words, names)}", ""
        for back in stage.game.comebacks:
            if back.after == number:
                text = _("{name} came back: {card}")
                yield "redo", text.format(name=stage.seat(back.seat).name, card=_(EVENT_CARDS[back.card])), ""
    for left in stage.game.abandonments:
        yield "away", _("{name} has left").format(name=stage.seat(left.seat).name), ""
    if not stage.game.eliminations:
        yield "star", _("No eliminations."), ""


def _pays(stage: SceneContext) -> Iterator[PaperLine]:
    pays = winnings_by_role(stage.game, stage.edition)
    if not pays:
        yield "story", stage.words.gettext("The record sheet will show this."), ""
    for pay in pays:
        icon = "laurel" if pay.dollars else "spent"
        yield icon, _role(stage, pay), stage.words.money(pay.dollars)


def _role(stage: SceneContext, pay: RolePay) -> str:
    _ = stage.words.gettext
    role = role_name(stage.words, pay.role)
    match pay.case:
        case WinningsCase.ALWAYS | WinningsCase.NO_FINAL_DUEL:
            return role
        case WinningsCase.ALIVE:
            return _("{role}, alive").format(role=role)
        case WinningsCase.ELIMINATED:
            return _("{role}, out").format(role=role)
        case WinningsCase.LOST_FINAL_DUEL:
            return _("{role}, lost the final duel").format(role=role)


def _winners(stage: SceneContext) -> str:
    _ = stage.words.gettext
    match stage.game.ending:
        case Ending.LAW_WINS:
            return _("The Sheriff and all Deputies win, including those eliminated.")
        case Ending.OUTLAWS_WIN:
            return _("All Outlaws win, including those eliminated.")
        case Ending.RENEGADE_WINS:
            return _("Only the Renegade wins.")
        case Ending.NO_WINNER | None:
            return _("Nobody wins.")
