"""A page for each rule, a list of all rules at this table, and a dialog about a character."""

import msgspec

from core.characters import Character
from core.terms import SeatNo
from kiosk.preferences import Layout
from kiosk.rules.applicable_rules import Rule, rules_at
from kiosk.rules.card import ability_of, rule_card, rule_title, special_case
from kiosk.scenes.scene import OnTouch, Reply, Scene, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, has_game, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import ROTATE_MM, back_button, page, page_room, rotate_button
from kiosk.ui.blocks import Align, Block, Button, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_TURNS = 4


@scene("rule", when=lambda stage: stage.table.game is not None and stage.table.edition is not None)
def rule_page(
    stage: SceneContext, rule: Rule, seat: SeatNo | None = None, turns: int = 0
) -> tuple[Block, ...]:
    """Draw a rule with its source.

    seat: the reader, for language and direction, or None for all.
    turns: quarter turns that somebody has added by a button.
    """
    stage = _turn_to(stage, seat, turns)
    mm, room = stage.mm, page_room(stage)
    card = rule_card(rule, stage.game, stage.edition, stage.words)
    turn = Reply(becomes=rule_page(rule, seat, (turns + 1) % _TURNS))
    head, rest = _head(stage, room, card.title, turn, all_rules(seat, turns))
    source, text = rest.split_bottom(mm(5), mm(1))
    # Some sentences begin with a number.
    lines = (line if line[:1].isdigit() else f"• {line}" for line in card.sentences)
    parts: tuple[Part, ...] = (
        *head,
        Paragraph(text.inset(mm(1), 0), "\n".join(lines), mm(4.8), theme.CREAM),
        Label(source, card.source, mm(3.6), theme.CREAM_SOFT, align=Align.RIGHT, own_words=False),
    )
    return page(stage, parts, "rule")


@scene("rules", when=has_game)
def all_rules(stage: SceneContext, seat: SeatNo | None = None, turns: int = 0) -> tuple[Block, ...]:
    """Draw a button for each rule at this table. seat, turns: as for ``rule_page``."""
    stage = _turn_to(stage, seat, turns)
    room = page_room(stage)
    turn = Reply(becomes=all_rules(seat, (turns + 1) % _TURNS))
    head, rest = _head(stage, room, stage.words.gettext("Rules"), turn)
    rules = rules_at(stage.game, stage.edition)
    cells = rest.grid(len(rules), 5 if room.w >= room.h else 3, stage.mm(GAP_MM))
    buttons = (
        Button(
            cell, f"rule-{rule.value}", rule_title(rule, stage.words), size_px=stage.mm(4.4),
            action=OnTouch(Reply(becomes=rule_page(rule, seat, turns))),
        )
        for cell, rule in zip(cells, rules, strict=False)
    )  # fmt: skip
    return page(stage, (*head, *buttons), "rules")


@scene("ability", when=lambda stage: stage.table.game is not None and stage.table.edition is not None)
def ability_page(stage: SceneContext, character: Character, seat: SeatNo | None = None) -> Dialog:
    """Explain what a character can do, and its special case. seat: as for ``rule_page``."""
    stage = _turn_to(stage, seat, 0)
    edition, words = stage.edition, stage.words
    text = f"{ability_of(character, edition, words)} {special_case(character, edition, words)}"
    return Dialog(stage, Heading(character.value, text.rstrip(), "cards"), ())


def _turn_to(stage: SceneContext, seat: SeatNo | None, turns: int) -> SceneContext:
    if seat is not None and seat <= len(stage.game.seats):
        stage = stage.in_language_of(seat)
    return msgspec.structs.replace(stage, quarter_turns=(stage.quarter_turns + turns) % _TURNS)


def _head(
    stage: SceneContext, room: Rect, title: str, turn: Reply, rules: Scene | None = None
) -> tuple[tuple[Part, ...], Rect]:
    _, mm, gap = stage.words.gettext, stage.mm, stage.mm(GAP_MM)
    top, rest = room.split_top(mm(12), gap)
    back, words = top.split_left(mm(24), mm(3))
    parts: tuple[Part, ...] = (back_button(stage, back, 4),)
    if stage.table.preferences.layout is Layout.RING:
        spot, words = words.split_right(mm(ROTATE_MM), gap)
        parts = (*parts, rotate_button(stage, spot, turn))
    if rules is not None:
        spot, words = words.split_right(mm(12), gap)
        opens = OnTouch(Reply(becomes=rules))
        parts = (*parts, Button(spot, "rules", "", icon="story", said=_("All rules"), action=opens))
    return (*parts, Paragraph(words, title, mm(6.4), theme.CREAM, Typeface.BOLD)), rest
