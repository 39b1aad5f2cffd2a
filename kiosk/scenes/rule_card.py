"""A page for each rule, and a list of all rules at this table."""

from typing import ClassVar

import msgspec

from core.terms import SeatNo
from kiosk.preferences import Layout
from kiosk.rules.applicable_rules import Rule, rules_at
from kiosk.rules.card import rule_card, rule_title
from kiosk.scenes.scene import GameScene, OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import back_button, page, page_room
from kiosk.ui.blocks import Align, Block, Button, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.ring import GAP_MM
from kiosk.view import theme

_TURNS = 4


class RuleScene(msgspec.Struct, frozen=True):
    """The page of a rule.

    seat: its reader, for language and direction, or None for all.
    turns: added by hand.
    """

    rule: Rule
    seat: SeatNo | None = None
    turns: int = 0

    name: ClassVar[str] = "rule"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the title, the sentences and their source."""
        stage = _turn_to(stage, self.seat, self.turns)
        mm, room = stage.mm, page_room(stage)
        card = rule_card(self.rule, stage.game, stage.edition, stage.words)
        turn = Reply(becomes=msgspec.structs.replace(self, turns=(self.turns + 1) % _TURNS))
        head, rest = _head(stage, room, card.title, turn, RulesScene(self.seat, self.turns))
        source, text = rest.split_bottom(mm(5), mm(1))
        text = text.inset(mm(1), 0)
        parts: tuple[Part, ...] = (
            *head,
            Paragraph(text, "\n".join(map(_as_line, card.sentences)), mm(4.8), theme.CREAM),
            Label(source, card.source, mm(3.6), theme.CREAM_SOFT, align=Align.RIGHT, own_words=False),
        )
        return page(stage, parts, "rule")

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether there is a game with an edition."""
        table = stage.table
        return table.game is not None and table.edition is not None


class RulesScene(GameScene, msgspec.Struct, frozen=True):
    """The list of all rules at this table. ``seat`` and ``turns`` are as for ``RuleScene``."""

    seat: SeatNo | None = None
    turns: int = 0

    name: ClassVar[str] = "rules"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a button for each rule."""
        stage = _turn_to(stage, self.seat, self.turns)
        mm = stage.mm
        room = page_room(stage)
        turn = Reply(becomes=msgspec.structs.replace(self, turns=(self.turns + 1) % _TURNS))
        head, rest = _head(stage, room, stage.words.gettext("Rules"), turn)
        rules = rules_at(stage.game, stage.edition)
        columns = 5 if room.w >= room.h else 3
        cells = rest.grid(len(rules), columns, stage.mm(GAP_MM))
        buttons = (
            Button(
                cell, f"rule-{rule.value}", rule_title(rule, stage.words), size_px=mm(4.4),
                action=OnTouch(Reply(becomes=RuleScene(rule, self.seat, self.turns))),
            )
            for cell, rule in zip(cells, rules, strict=False)
        )  # fmt: skip
        return page(stage, (*head, *buttons), "rules")


def _as_line(sentence: str) -> str:
    """Return a sentence as a list item, with a bullet unless it begins with a number."""
    return sentence if sentence[:1].isdigit() else f"• {sentence}"


def _turn_to(stage: SceneContext, seat: SeatNo | None, turns: int) -> SceneContext:
    if seat is not None and seat <= len(stage.game.seats):
        stage = stage.in_language_of(seat)
    return msgspec.structs.replace(stage, quarter_turns=(stage.quarter_turns + turns) % _TURNS)


def _head(
    stage: SceneContext, room: Rect, title: str, turn: Reply, rules: RulesScene | None = None
) -> tuple[tuple[Part, ...], Rect]:
    """Return a page's head (back, title, list of rules, turn the page) and the area below it."""
    _, mm, gap = stage.words.gettext, stage.mm, stage.mm(GAP_MM)
    top, rest = room.split_top(mm(12), gap)
    back, words = top.split_left(mm(24), mm(3))
    parts: tuple[Part, ...] = (back_button(stage, back, 4),)
    if stage.table.preferences.layout is Layout.RING:
        spot, words = words.split_right(mm(12), gap)
        said = _("Rotate the page")
        parts = (*parts, Button(spot, "turn-page", "", icon="turn", said=said, action=OnTouch(turn)))
    if rules is not None:
        spot, words = words.split_right(mm(12), gap)
        opens = OnTouch(Reply(becomes=rules))
        parts = (*parts, Button(spot, "rules", "", icon="story", said=_("All rules"), action=opens))
    return (*parts, Paragraph(words, title, mm(6.4), theme.CREAM, Typeface.BOLD)), rest
