"""The record sheet of the table, for the judge to confirm."""

from typing import Final

from saloon.core.game.commands import ConfirmSheet
from saloon.core.game.events import Cause, Confirmation
from saloon.core.game.finished import finished_game
from saloon.core.game.record_sheet import Fate, SheetLine, record_sheet
from saloon.kiosk import theme
from saloon.kiosk.scenes.card import role_name
from saloon.kiosk.scenes.declaration import DeclarationScene
from saloon.kiosk.scenes.ending import because_words, ending_words
from saloon.kiosk.scenes.furniture import (
    HOLD_MS,
    NOWHERE,
    Offer,
    common,
    judge_offer,
    page,
    placed_offers,
    rows_of,
    undo_offer,
)
from saloon.kiosk.scenes.pin import PinScene
from saloon.kiosk.scenes.scene import Reply, Stage, asks
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Align, Block, Box, Button, Face, Icon, Label, Look, Part
from saloon.kiosk.ui.ring import GAP_MM


class SheetScene:
    """Seats, roles, fates and winnings of this game."""

    name: Final = "sheet"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """A sheet of paper on the table."""
        rect, foot = page(stage)
        mm, gap = stage.mm, stage.mm(GAP_MM)
        room = Rect(0, 0, rect.w, rect.h)
        rows = rows_of(stage, room.w, self._offers(stage))
        buttons, paper = room.foot(len(rows) * (mm(14.5) + gap) - gap, gap)
        return (
            Block(
                "page",
                rect,
                (*sheet_parts(stage, paper), *placed_offers(stage, buttons, rows)),
            ),
            foot,
        )

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Confirms by the key; asks for the PIN without it."""
        match target:
            case "confirm-sheet" if stage.table.judge_present:
                return asks(ConfirmSheet(Confirmation.KEY))
            case "confirm-sheet":
                return Reply(opens=PinScene(then=ConfirmSheet(Confirmation.PIN)))
            case "roles-again":
                return Reply(opens=DeclarationScene.of(stage))
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """It is chosen anew for every moment."""
        del stage
        return True

    def _offers(self, stage: Stage) -> tuple[Offer, ...]:
        _, size = stage.words.gettext, stage.mm(4.6)
        if stage.table.judge_present:
            confirm = Button(
                NOWHERE,
                "confirm-sheet",
                _("Judge: hold to confirm"),
                Look.GRAVE,
                "key",
                size_px=size,
                hold_ms=HOLD_MS,
            )
        else:
            confirm = Button(NOWHERE, "confirm-sheet", _("Judge: confirm"), Look.MAIN, "lock", size_px=size)
        again = Button(NOWHERE, "roles-again", _("Roles again"), icon="cards", size_px=stage.mm(4))
        return (Offer(confirm, 3.2), Offer(again, 2), undo_offer(stage), judge_offer(stage))


def sheet_parts(stage: Stage, paper: Rect) -> tuple[Part, ...]:
    """The sheet itself: a title, and a line for each seat."""
    _, mm = stage.words.gettext, stage.mm
    game = stage.game
    sheet = record_sheet(finished_game(game), stage.edition)
    room = paper.inset(mm(2.5), mm(1.5))
    title, rest = room.top(mm(8), 0)
    sub, rest = rest.top(mm(4.6), mm(1))
    head = _("Record sheet · table {table} · round {round}").format(table=game.table, round=game.round)
    parts: list[Part] = [
        Box(paper, theme.PARCHMENT, mm(1.6)),
        Label(title, ending_words(stage), mm(6.4), theme.INK, Face.SIGN, Align.LEFT),
        Label(sub, f"{head} · {because_words(stage)}", mm(3.8), theme.INK_SOFT, align=Align.LEFT),
    ]
    lines = rest.rows([1] * len(sheet.lines), 0)
    for row, line in zip(lines, sheet.lines, strict=True):
        if line.seat % 2:
            parts.append(Box(row, theme.PARCHMENT_SHADE, mm(0.8)))
        parts += _line(stage, row.inset(mm(1.2), 0), line)
    return tuple(parts)


def _line(stage: Stage, row: Rect, line: SheetLine) -> tuple[Part, ...]:
    mm = stage.mm
    seat = stage.seat(line.seat)
    wide = row.w > mm(110)
    size = min(mm(4.8), int(row.h * 0.86))
    sign, rest = row.left(mm(6), mm(1))
    money, rest = rest.end(mm(17), mm(1.5))
    icon = "laurel" if line.won else ("tombstone" if line.fate in _OUT else "star")
    small = mm(4.2)
    name, role, fate = rest.columns([1.5, 1, 1.5] if wide else [1.3, 1, 1.2], mm(1.5))
    if not wide and row.h > mm(10):
        upper, lower = row.inset(0, row.h // 8).rows([1.2, 1], 0)
        sign, name = upper.left(mm(6), mm(1))
        money, name = name.end(mm(20), mm(1))
        role, fate = lower.left(mm(7), 0)[1].columns([1, 1.9], mm(2))
        size = min(size, upper.h)
    parts: tuple[Part, ...] = (
        Label(name, seat.name, size, theme.INK, Face.BOLD, Align.LEFT, own_words=False),
        Label(role, role_name(stage.words, line.role), small, theme.INK, align=Align.LEFT),
        Label(fate, _fate(stage, line), small, theme.INK_SOFT, align=Align.LEFT, own_words=False),
        Label(money, f"$ {line.winnings:,}", size, theme.INK, Face.BOLD, Align.RIGHT),
    )
    if line.won or line.fate in _OUT:
        parts = (Icon(sign.inset(0, row.h // 8), icon, theme.INK_SOFT, theme.PARCHMENT), *parts)
    return parts


_OUT: Final = frozenset({Fate.ELIMINATED, Fate.LEFT_AND_ELIMINATED})


def _fate(stage: Stage, line: SheetLine) -> str:
    _ = stage.words.gettext
    match line.fate:
        case Fate.ALIVE:
            return _("alive")
        case Fate.PASSIVE:
            return _("left, still in play")
        case Fate.LEFT_AND_ELIMINATED:
            return _("left; {out}").format(out=_out(stage, line))
        case Fate.ELIMINATED:
            return _out(stage, line)


def _out(stage: Stage, line: SheetLine) -> str:
    _ = stage.words.gettext
    match line.cause:
        case Cause.DYNAMITE:
            return _("out by Dynamite")
        case Cause.HIGH_NOON:
            return _("out by High Noon")
        case _:
            name = "" if line.by is None else stage.seat(line.by).name
            return _("out by {name}").format(name=name)
