"""The main scenes of a duel: preparation, then the duel with turns, the line and help."""

from typing import ClassVar, Final, assert_never

import msgspec

from core.characters import Character
from core.game.duel.fight import ChooseLine
from core.game.duel.opening import DrawStarter, ShowLine, TakeAdvantage
from core.game.play.turns import EndTurn
from core.game.state.duel import BETTER_PLACED, TURNED_UP, Advantage, DuelPhase, Side
from core.game.state.game import Seat
from core.terms import MatchKind, SeatNo
from kiosk.scenes.duel.grid import EnterScene, TurnUpScene, cards_page, character_card
from kiosk.scenes.duel.half import duel_half
from kiosk.scenes.heads.guide import add_rule, undone_head
from kiosk.scenes.scene import OnTouch, PersistentScene, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, character_id, on_ring, status_parts, with_menu
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.page_parts import (
    Heading,
    Offer,
    back_offer,
    lock_offer,
    offer,
    table_offers,
    table_page,
)
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme


class ShowLineScene(msgspec.Struct, frozen=True):
    """The page on which a player reveals a front and a rear character; the others stay secret."""

    seat: SeatNo
    front: Character | None = None

    name: ClassVar[str] = "duel-show-line"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the player's five cards, turned towards the player."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        title = _("Tap the character in front") if self.front is None else _("Now the one at the rear")
        cards = tuple(
            character_card(
                stage, who, self._take(who), chosen=who is self.front,
                small=_("in front") if who is self.front else "", enabled=who is not self.front,
            )
            for who in stage.duel.side(self.seat).picks
        )  # fmt: skip
        return cards_page(stage, title, (back_offer(stage, 2),), cards)

    def _take(self, who: Character) -> Reply:
        """Return the reply that takes the first touch as the front character, the second as the rear."""
        if self.front is None:
            return Reply(becomes=ShowLineScene(self.seat, who))
        return command_reply(ShowLine(self.seat, self.front, who), closes=True)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether this player hasn't revealed both characters yet."""
        return stage.has_duel and stage.duel.phase is DuelPhase.LINES and not stage.duel.side(self.seat).shown


class LineScene(msgspec.Struct, frozen=True):
    """The choice of the front character before drawing. ``jailed`` is the character in Jail this turn."""

    seat: SeatNo
    jailed: Character | None = None

    name: ClassVar[str] = "duel-line"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the choice of the front character, and of the one in Jail."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        front, held = _("{character} in front"), _("{character} in Jail")
        side = stage.duel.side(self.seat)
        now = None if side.front is None else side.front.character
        in_play = [fighter.character for fighter in side.in_play]
        fronts = (
            offer(
                stage, f"front-{character_id(who)}", front.format(character=who.value),
                command_reply(ChooseLine(self.seat, who, self.jailed), closes=True), 4.2,
                look=ButtonStyle.MAIN, icon="star", small=_("current") if who is now else "",
                enabled=stage.allows(ChooseLine(self.seat, who, self.jailed)),
            )
            for who in in_play
        )  # fmt: skip
        jails = (
            offer(
                stage, f"jailed-{character_id(who)}", held.format(character=who.value),
                Reply(becomes=LineScene(self.seat, None if who is self.jailed else who)), 4.2,
                look=ButtonStyle.CHOSEN if who is self.jailed else ButtonStyle.QUIET, icon="lock",
            )
            for who in in_play
        )  # fmt: skip
        text = _("Before drawing. A character staying in Jail this turn can't be in front.")
        head = Heading(_("Front and rear"), text, "cards")
        return draw_dialog(stage, head, (*fronts, *jails, back_offer(stage, 2)))

    def still_holds(self, stage: SceneContext) -> bool:
        return stage.has_duel and stage.duel.turn == self.seat and stage.duel.may_choose_line


class DuelSetupScene(PersistentScene):
    """The preparation of a duel: each player answers questions on their own half."""

    name: Final = "duel-setup"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw both halves, with instructions between them."""
        offers = [*table_offers(stage)]
        if stage.duel.phase is DuelPhase.FACE_UP:
            _ = stage.words.gettext
            opens, main = Reply(opens=TurnUpScene()), ButtonStyle.MAIN
            up = offer(stage, "turn-up", _("Which ten?"), opens, 2.6, size_mm=5, look=main, icon="cards")
            offers.insert(0, up)
        panels = (self._half(stage, seat) for seat in stage.game.seats)
        return table_page(stage, panels, add_rule(stage, _head(stage)), offers)

    def _half(self, stage: SceneContext, seat: Seat) -> Block:
        stage = stage.in_language_of(seat.seat)
        aside = _better_placed_label(stage) if seat.seat == BETTER_PLACED else None
        parts, body = card(stage, seat, SeatCardState.PLAIN, aside)
        room, menu = with_menu(stage, body, seat)
        return on_ring(stage, seat, (*parts, *_task_parts(stage, stage.duel.side(seat.seat), room), menu))


def _better_placed_label(stage: SceneContext) -> Label:
    words = stage.words.gettext("better placed")
    return Label(Rect(0, 0, 0, 0), words, stage.mm(3.9), theme.INK_SOFT)


def _head(stage: SceneContext) -> Heading:
    _ = stage.words.gettext
    match stage.duel.phase:
        case DuelPhase.FACE_UP:
            text = _("Judge: take {count} characters at random, lay them face up and tap them here.")
            return Heading(_("Long duel"), text.format(count=TURNED_UP), "cards")
        case DuelPhase.CHOICE:
            name = stage.seat(BETTER_PLACED).name
            text = _("If you pick first, you don't start.")
            return Heading(_("{name} chooses").format(name=name), text, "cards")
        case DuelPhase.LINES:
            text = _("Secretly stack your five, then turn up the top two: one in front, one at the rear.")
            return Heading(_("Front and rear"), text, "cards")
        case DuelPhase.OPENING:
            text = _(
                "No Jail, no Wells Fargo; eight characters each, face down. Turn up the top one "
                "and draw lots for who starts."
            )
            return Heading(_("Short duel"), text, "cards")
        case DuelPhase.DRAFT | DuelPhase.PLAYING | DuelPhase.WON:
            return Heading("")
        case _:
            assert_never(stage.duel.phase)


def _task_parts(stage: SceneContext, side: Side, room: Rect) -> tuple[Part, ...]:
    """Draw the buttons that this player has to touch now."""
    _, mm = stage.words.gettext, stage.mm
    seat = side.seat
    match stage.duel.phase:
        case DuelPhase.CHOICE if seat == BETTER_PLACED:
            return _advantages(stage, room)
        case DuelPhase.LINES if not side.shown:
            words = _("Show front and rear")
            opens, main = OnTouch(Reply(opens=ShowLineScene(seat))), ButtonStyle.MAIN
            return (Button(room, f"seat-{seat}-line", words, main, "cards", size_px=mm(5), action=opens),)
        case DuelPhase.LINES:
            return _characters(stage, side, room)
        case DuelPhase.OPENING:
            return _opening(stage, side, room)
        case _:
            return status_parts(stage, room, "check", _("here"))


def _advantages(stage: SceneContext, room: Rect) -> tuple[Part, ...]:
    _ = stage.words.gettext
    words = {Advantage.PICK_FIRST: _("Pick first"), Advantage.START: _("Start the duel")}
    spots = room.columns([1, 1], stage.mm(GAP_MM))
    return tuple(
        Button(
            spot, f"advantage-{advantage.value}", words[advantage], ButtonStyle.MAIN, size_px=stage.mm(5),
            action=OnTouch(command_reply(TakeAdvantage(advantage))),
        )
        for advantage, spot in zip(Advantage, spots, strict=True)
    )  # fmt: skip


def _opening(stage: SceneContext, side: Side, room: Rect) -> tuple[Part, ...]:
    _, mm = stage.words.gettext, stage.mm
    first, starts = room.columns([1.3, 1], mm(GAP_MM))
    drawn = stage.duel.starter == side.seat
    button = Button(
        starts, f"seat-{side.seat}-starts", _("I start"), ButtonStyle.CHOSEN if drawn else ButtonStyle.QUIET,
        "arrow", size_px=mm(5), enabled=stage.allows(DrawStarter(side.seat)),
        action=OnTouch(command_reply(DrawStarter(side.seat))),
    )  # fmt: skip
    if side.shown:
        return (*_characters(stage, side, first), button)
    words, opens = _("First character"), OnTouch(Reply(opens=EnterScene(side.seat)))
    target, size = f"seat-{side.seat}-first", mm(5)
    return (Button(first, target, words, ButtonStyle.MAIN, "cards", size_px=size, action=opens), button)


def _characters(stage: SceneContext, side: Side, room: Rect) -> tuple[Part, ...]:
    """Draw the characters, and how many cards the player starts with, by the front character."""
    mm = stage.mm
    names = " · ".join(fighter.character.value for fighter in side.in_play)
    cards = side.in_play[0].max_life
    hand = stage.words.ngettext("{count} card to start with", "{count} cards to start with", cards)
    upper, lower = room.inset(mm(1.4), 0).rows([1.3, 1], 0)
    return (
        Label(upper, names, mm(5.4), theme.INK, Typeface.BOLD, Align.LEFT, own_words=False),
        Label(lower, hand.format(count=cards), mm(4.2), theme.INK_SOFT, align=Align.LEFT),
    )


class DuelScene(PersistentScene):
    """The duel itself: life points, turns, and the next characters."""

    name: Final = "duel"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the halves turned towards their players, and the middle turned towards the player in turn."""
        turn = stage.duel.turn
        stage = stage if turn is None else stage.in_language_of(turn)
        head = self._head(stage)
        panels = (duel_half(stage, seat) for seat in stage.game.seats)
        return table_page(stage, panels, head, self._offers(stage))

    def _head(self, stage: SceneContext) -> Heading:
        _, duel = stage.words.gettext, stage.duel
        name = "" if duel.turn is None else stage.seat(duel.turn).name
        is_long = duel.kind is MatchKind.LONG_DUEL
        rule = _("All five must fall.") if is_long else _("First to five with a lead of two; eight at most.")
        number = _("Turn {number}").format(number=stage.game.turns)
        title = _("{name}'s turn").format(name=name)
        return undone_head(stage) or add_rule(stage, Heading(title, f"{number} · {rule}"))

    def _offers(self, stage: SceneContext) -> tuple[Offer, ...]:
        _, duel = stage.words.gettext, stage.duel
        end = offer(
            stage, "end-turn", _("End turn"), command_reply(EndTurn()), 2.4, size_mm=5,
            look=ButtonStyle.MAIN, icon="arrow", enabled=stage.allows(EndTurn()),
        )  # fmt: skip
        line: tuple[Offer, ...] = ()
        if duel.kind is MatchKind.LONG_DUEL and duel.turn is not None:
            may = duel.may_choose_line and len(duel.side(duel.turn).in_play) > 1
            opens = Reply(opens=LineScene(duel.turn))
            line = (offer(stage, "line", _("Front and rear"), opens, 2.4, icon="cards", enabled=may),)
        return (
            end,
            *line,
            *table_offers(stage),
            lock_offer(stage),
        )
