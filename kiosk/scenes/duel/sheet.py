"""A duel's record sheet: winner, score and reason, for the judge to confirm."""

from typing import Final

from core.game.state.game import Seat
from kiosk.scenes.connection.offline_transfer import carry_offers
from kiosk.scenes.ending.ending_reasons import because_words
from kiosk.scenes.ending.record_sheet import confirm_offer, sheet_page, story_offer
from kiosk.scenes.scene import PersistentScene, SceneContext
from kiosk.scenes.widgets.page_parts import judge_offer, undo_offer
from kiosk.ui.blocks import Align, Block, Box, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.view import theme


class DuelSheetScene(PersistentScene):
    """The record sheet with both players, their eliminations and their characters."""

    name: Final = "sheet"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the sheet as paper on the table."""
        offers = (
            confirm_offer(stage),
            story_offer(stage),
            *carry_offers(stage),
            undo_offer(stage),
            judge_offer(stage),
        )
        return sheet_page(stage, _paper, offers)


def _paper(stage: SceneContext, paper: Rect) -> tuple[Part, ...]:
    _, mm, game = stage.words.gettext, stage.mm, stage.game
    room = paper.inset(mm(2.5), mm(1.5))
    title, rest = room.split_top(mm(9), 0)
    sub, rest = rest.split_top(mm(5), mm(1.5))
    winner = "" if stage.duel.winner is None else stage.seat(stage.duel.winner).name
    head = _("Record sheet · table {table} · round {round}").format(table=game.table, round=game.round)
    parts: list[Part] = [
        Box(paper, theme.PARCHMENT, mm(1.6)),
        Label(title, _("{name} wins the duel").format(name=winner), mm(7), theme.INK, Typeface.BOLD,
              Align.LEFT, own_words=False),
        Label(sub, f"{head} · {because_words(stage)}", mm(3.9), theme.INK_SOFT, align=Align.LEFT,
              own_words=False),
    ]  # fmt: skip
    for row, seat in zip(rest.rows([1, 1], mm(1.5)), game.seats, strict=True):
        parts += _line(stage, row, seat)
    return tuple(parts)


def _line(stage: SceneContext, row: Rect, seat: Seat) -> tuple[Part, ...]:
    """Draw a player's name, eliminations, and what became of their characters."""
    _, mm, duel = stage.words.gettext, stage.mm, stage.duel
    side = duel.side(seat.seat)
    room = row.inset(mm(2), mm(1))
    score, words = room.split_right(mm(16), mm(2))
    sign, words = words.split_left(mm(8), mm(2))
    name, lists = words.split_top(int(words.h * 0.36), mm(0.5))
    lost = ", ".join(who.value for who in side.lost)
    stood = ", ".join(fighter.character.value for fighter in side.in_play)
    sentences = [
        _("Out: {characters}.").format(characters=lost) if lost else "",
        _("In play: {characters}.").format(characters=stood) if stood else "",
    ]
    laurel = Icon(sign, "laurel", theme.INK_SOFT, theme.PARCHMENT)
    return (
        Box(row, theme.PARCHMENT_SHADE, mm(1)),
        *((laurel,) if duel.winner == seat.seat else ()),
        Label(name, seat.name, mm(6), theme.INK, Typeface.BOLD, Align.LEFT, own_words=False),
        Paragraph(lists, " ".join(filter(None, sentences)), mm(4.4), theme.INK),
        Label(score, str(duel.score[seat.seat - 1]), mm(15), theme.INK, Typeface.BOLD, Align.RIGHT),
    )
