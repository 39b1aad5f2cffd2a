"""The record sheet of a game or a duel, drawn as paper, for the judge to confirm."""

from typing import Final

from core.game.ending.finished_game import finished_game
from core.game.ending.record_sheet import Fate, SheetLine, record_sheet
from core.game.ending.sheet import ConfirmSheet
from core.game.state.game import Cause, Confirmation, Seat
from core.rule_set import AgreementForm, RecordMode
from kiosk.i18n import role_name
from kiosk.scenes import pages
from kiosk.scenes.connection.offline_transfer import carry_offers
from kiosk.scenes.ending.declaration import DeclarationScene
from kiosk.scenes.ending.ending_reasons import because_words, ending_words
from kiosk.scenes.scene import SceneContext, command_reply
from kiosk.scenes.widgets.card import name_label
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.page_parts import HOLD_MS, judge_offer, offer, page, page_room, undo_offer
from kiosk.scenes.widgets.rows import OWN_SHARE, Offer, place_offers, rows_of, widened
from kiosk.ui.blocks import Align, Block, Box, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.final_story import OUT

_BUTTON_MM: Final = 14.5
_TWO_LINES_MM: Final = 8.5
_ROOMY: Final = 8
"""The number of lines from which the head of the sheet is more compact."""


def _game_paper(stage: SceneContext, paper: Rect) -> tuple[Part, ...]:
    _, mm, game = stage.words.gettext, stage.mm, stage.game
    sheet_lines = record_sheet(finished_game(game), stage.edition).lines
    is_crowded = len(sheet_lines) > _ROOMY
    room = paper.inset(mm(2.5), mm(0.8 if is_crowded else 1.5))
    title, rest = room.split_top(mm(7 if is_crowded else 8), 0)
    narrow = room.w <= mm(110)
    sub, rest = rest.split_top(mm(9.2 if narrow else 4.6), mm(0.4 if is_crowded else 1))
    head = _("Record sheet · table {table} · round {round}").format(table=game.table, round=game.round)
    because = because_words(stage).rstrip(".")
    agreement = {
        AgreementForm.EACH_PLAYER: _("each player agrees"),
        AgreementForm.ONE_FOR_ALL: _("one player agrees for all"),
        AgreementForm.SHERIFF_AND_ONE: _("the Sheriff and one other agree"),
    }[game.rules.agreement]
    mode = _("light game") if game.mode is RecordMode.LIGHT else _("full game")
    parts: list[Part] = [
        Box(paper, theme.PARCHMENT, mm(1.6)),
        Label(title, ending_words(stage), mm(6.4), theme.INK, Typeface.SIGN, Align.LEFT),
        Paragraph(
            sub, f"{head} · {because} · {agreement} · {mode}", mm(3.8), theme.INK_SOFT,
            brief=f"{head} · {because}",
        ),
    ]  # fmt: skip
    rows = rest.rows([1] * len(sheet_lines), 0)
    # Shade rows before writing any text, as tall letters may extend into the next row.
    parts += [Box(row, theme.PARCHMENT_SHADE, mm(0.8)) for row in rows[::2]]
    for row, line in zip(rows, sheet_lines, strict=True):
        parts += _line(stage, row.inset(mm(1.2), 0), line)
    return tuple(parts)


def _line(stage: SceneContext, row: Rect, line: SheetLine) -> tuple[Part, ...]:
    mm = stage.mm
    seat = stage.seat(line.seat)
    wide = row.w > mm(110)
    size = min(mm(5.4), max(stage.legible_px, int(row.h * 0.95)))
    sign, rest = row.split_left(mm(6), mm(1))
    money, rest = rest.split_right(mm(17), mm(1.5))
    paid = rest.split_right(0)[0]
    if wide and any(seat.spent for seat in stage.game.seats):
        paid, rest = rest.split_right(mm(19), mm(1.5))
    icon = "laurel" if line.won else ("tombstone" if line.fate in OUT else "star")
    small = stage.legible_px
    name, role, fate = rest.columns([1.5, 1, 1.5] if wide else [1.15, 1.4, 0.95], mm(1.5))
    if not wide and row.h > mm(_TWO_LINES_MM):
        upper, lower = row.inset(0, row.h // 16).rows([1.1, 1], 0)
        sign, name = upper.split_left(mm(6), mm(1))
        money, name = name.split_right(mm(20), mm(1))
        paid, lower = lower.split_right(mm(20) if seat.spent else 0, mm(1))
        role, fate = lower.split_left(mm(7), 0)[1].columns([1.25, 1.65], mm(2))
        size = min(mm(5.4), max(stage.legible_px, upper.h))
    parts: tuple[Part, ...] = (
        name_label(stage, seat, name, size, theme.INK),
        Label(role, role_name(stage.words, line.last_role), small, theme.INK, align=Align.LEFT),
        Label(
            fate, _fate(stage, line), small, theme.INK_SOFT, align=Align.LEFT, own_words=False,
            brief=_by_whom(stage, line), least_px=small,
        ),
        Label(money, stage.words.money(line.winnings), size, theme.INK, Typeface.BOLD, Align.RIGHT),
    )  # fmt: skip
    if seat.spent and paid.w:
        words = stage.words.gettext("paid {price}").format(price=stage.words.money(seat.spent))
        parts = (*parts, Label(paid, words, small, theme.INK_SOFT, align=Align.RIGHT))
    if line.won or line.fate in OUT:
        parts = (Icon(sign.inset(0, sign.h // 8), icon, theme.INK_SOFT, theme.PARCHMENT), *parts)
    return parts


def _by_whom(stage: SceneContext, line: SheetLine) -> str:
    """Say who eliminated a player, in the few words that fit beside a tombstone; empty if nobody did."""
    if line.fate not in OUT or line.by is None:
        return ""
    _, name = stage.words.gettext, stage.seat(line.by).name
    text = _("by {name}, same card") if line.same_card else _("by {name}")
    return text.format(name=name)


def _fate(stage: SceneContext, line: SheetLine) -> str:
    _ = stage.words.gettext
    match line.fate:
        case Fate.ALIVE:
            return _("alive")
        case Fate.PASSIVE:
            return _("left, still in play")
        case Fate.LEFT_AND_ELIMINATED:
            return _("left, then {out}").format(out=_out(stage, line))
        case Fate.EJECTED:
            return _("ejected")
        case Fate.EJECTED_AND_ELIMINATED:
            return _("ejected, then {out}").format(out=_out(stage, line))
        case Fate.ELIMINATED:
            return _out(stage, line)


def _out(stage: SceneContext, line: SheetLine) -> str:
    _, name = stage.words.gettext, "" if line.by is None else stage.seat(line.by).name
    match line.cause:
        case Cause.DYNAMITE:
            return _("eliminated by Dynamite")
        case Cause.HIGH_NOON:
            return _("eliminated at High Noon")
        case Cause.OWN_DUEL if line.by is None:
            return _("eliminated in their own Duel")
        case Cause.OWN_DUEL:
            return _("eliminated by {name} in their own Duel").format(name=name)
        case _:
            if not line.same_card:
                return _("eliminated by {name}").format(name=name)
            others = ", ".join(stage.seat(seat).name for seat in line.same_card)
            return _("eliminated by {name}, same card as {others}").format(name=name, others=others)


def story_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    _ = stage.words.gettext
    return offer(stage, "story", _("Story"), pages.story(), share, icon="chart", said=_("Story of the game"))


def _confirm_offer(stage: SceneContext) -> Offer:
    _, target = stage.words.gettext, "confirm-sheet"
    if stage.table.judge_present:
        words, confirm = _("Judge: hold to confirm"), command_reply(ConfirmSheet(Confirmation.KEY))
        grave = ButtonStyle.GRAVE
        return offer(stage, target, words, confirm, 3.2, look=grave, icon="key", hold_ms=HOLD_MS)
    opens = pages.pin(then=ConfirmSheet(Confirmation.PIN))
    return offer(stage, target, _("Judge: confirm"), opens, 3.2, look=ButtonStyle.MAIN, icon="lock")


@scene("sheet")
def sheet(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the record sheet of a game or a duel as paper, above buttons to confirm it."""
    draw, roles = _duel_paper, list[Offer]()
    if not stage.has_duel:
        change, words = DeclarationScene.of(stage), stage.words.gettext("Change roles")
        roles.append(offer(stage, "roles-again", words, change, 2, icon="cards"))
        draw = _game_paper
    offers = (
        _confirm_offer(stage), *roles, story_offer(stage), *carry_offers(stage), undo_offer(stage),
        judge_offer(stage),
    )  # fmt: skip
    room, gap = page_room(stage), stage.mm(GAP_MM)
    rows = rows_of(stage, room.w, widened(stage, offers, OWN_SHARE, lines=2))
    buttons, paper = room.split_bottom(len(rows) * (stage.mm(_BUTTON_MM) + gap) - gap, gap)
    return page(stage, (*draw(stage, paper), *place_offers(stage, buttons, rows)))


def _duel_paper(stage: SceneContext, paper: Rect) -> tuple[Part, ...]:
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
        parts += _duel_line(stage, row, seat)
    return tuple(parts)


def _duel_line(stage: SceneContext, row: Rect, seat: Seat) -> tuple[Part, ...]:
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
