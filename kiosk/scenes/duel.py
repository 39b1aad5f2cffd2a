"""A duel in play: each player has half of the screen, turned towards them."""

import enum

from core.characters import Character
from core.game.duel.fight import CarryWounds, ChooseLine, HealCharacter, WoundCharacter
from core.game.play.turns import EndTurn
from core.game.state.duel import Fighter, Side, opponent_of
from core.game.state.game import Seat
from core.terms import MatchKind, SeatNo
from kiosk.scenes.duel_opening import enter_character, enter_reply
from kiosk.scenes.guide import add_rule, undone_head
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, character_id, held_menu, on_ring
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.life import life_parts
from kiosk.scenes.widgets.page_parts import (
    back_offer,
    command_offer,
    lock_offer,
    offer,
    table_offers,
    table_page,
)
from kiosk.scenes.widgets.ring_centre import NOWHERE
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_NAME_MM = 4.6
_CENTRE_MM = 10.0
_WIDEST_MM = 46.0
"""The widest area for a character, in which name, numeral and bullets stay together."""


class Spot(enum.Enum):
    """A character's place in a duel; its value is part of the targets' names."""

    FRONT = "front"
    REAR = "rear"


def duel_half(stage: SceneContext, seat: Seat, *, touchable: bool = True) -> Block:
    """Draw a seat's half of the screen. ``touchable`` is False while the table is locked."""
    duel = stage.duel
    side = duel.side(seat.seat)
    on = touchable and duel.turn == seat.seat
    own, other = duel.score[seat.seat - 1], duel.score[opponent_of(seat.seat) - 1]
    reserve = stage.words.gettext("{count} in reserve").format(count=duel.reserve(seat.seat))
    score = Label(NOWHERE, f"{own} : {other}  ·  {reserve}", stage.mm(4.6), theme.INK, Typeface.BOLD)
    parts, body = card(stage, seat, SeatCardState.ON if on else SeatCardState.PLAIN, score)
    body = body.split_top(body.h - stage.mm(1))[0].inset(stage.mm(1), 0)
    enters = bool(duel.entering(seat.seat))
    # Fast taps for the last character must not hit the next one.
    fighters = _standing(stage, side, body, touchable=touchable and not enters)
    if enters and touchable:
        fighters = (*fighters, *_entering(stage, side, body))
    return on_ring(stage, seat, (*parts, *fighters))


def _standing(stage: SceneContext, side: Side, body: Rect, *, touchable: bool) -> tuple[Part, ...]:
    rooms = (body,) if stage.duel.kind is MatchKind.SHORT_DUEL else _rooms(stage, body)
    parts: list[Part] = []
    for spot, room in zip(Spot, rooms, strict=False):
        fighter = side.front if spot is Spot.FRONT else side.rear
        if fighter is not None:
            parts += _fighting(stage, side, (spot, fighter), room, touchable=touchable)
    return tuple(parts)


def _rooms(stage: SceneContext, body: Rect) -> tuple[Rect, ...]:
    gap = stage.mm(GAP_MM)
    if body.w >= 2 * (2 * (stage.mm(stage.ring.button_mm) + gap) + stage.mm(_CENTRE_MM)) + gap:
        return body.columns([1, 1], gap)
    return body.rows([1, 1], gap)


def _fighting(
    stage: SceneContext, side: Side, who: tuple[Spot, Fighter], room: Rect, *, touchable: bool
) -> tuple[Part, ...]:
    mm, gap, least = stage.mm, stage.mm(GAP_MM), stage.mm(stage.ring.button_mm)
    back = (Box(room, theme.PARCHMENT_SHADE, mm(1.0)),) if who[0] is Spot.REAR else ()
    if not touchable:
        return (*back, *_side_parts(stage, side, who, room.inset(mm(2), 0).centre(mm(_WIDEST_MM), room.h)))
    minus, rest = room.split_left(least, gap)
    plus, centre = rest.split_right(least, gap)
    about = _side_parts(stage, side, who, centre.centre(mm(_WIDEST_MM), centre.h))
    return (*back, *about, *_buttons(stage, side.seat, who, (minus, plus, centre)))


def _side_parts(stage: SceneContext, side: Side, who: tuple[Spot, Fighter], room: Rect) -> tuple[Part, ...]:
    spot, fighter = who
    _, mm = stage.words.gettext, stage.mm
    row, life = room.split_top(mm(_NAME_MM), 0)
    parts: list[Part] = []
    if side.jailed is fighter.character:
        mark, row = row.split_left(mm(3.6), mm(0.8))
        parts.append(Icon(mark, "lock", theme.INK, theme.PARCHMENT))
    change = next((c for c in stage.changes if c.character is fighter.character), None)
    if stage.duel.kind is MatchKind.LONG_DUEL:
        words = _("front") if spot is Spot.FRONT else _("rear")
        end, row = row.split_right(mm(9), mm(0.8))
        parts.append(Label(end, words, mm(3.6), theme.INK_SOFT, align=Align.RIGHT))
    name = Label(row, fighter.character.value, mm(4.4), theme.INK, Typeface.BOLD, Align.LEFT, own_words=False)
    return (*parts, name, *life_parts(stage, (fighter.life, fighter.max_life), life, change))


def _buttons(
    stage: SceneContext, seat: SeatNo, who: tuple[Spot, Fighter], spots: tuple[Rect, Rect, Rect]
) -> tuple[Part, ...]:
    _, (spot, fighter), (minus, plus, centre) = stage.words.gettext, who, spots
    name, room = fighter.character.value, stage.mm(0.7)
    prefix = f"seat-{seat}-{spot.value}"
    menu: tuple[Part, ...] = ()
    if spot is Spot.FRONT:
        menu = (held_menu(stage, stage.seat(seat), centre.inset(-stage.mm(0.5), 0)),)
    wound, heal = WoundCharacter(seat, fighter.character), HealCharacter(seat, fighter.character)
    return (
        *menu,
        Button(
            minus, f"{prefix}-minus", "", ButtonStyle.LESS, "minus",
            said=_("{name}: remove a life point").format(name=name),
            enabled=stage.allows(wound), on_down=True, room_px=room, action=OnTouch(command_reply(wound)),
        ),
        Button(
            plus, f"{prefix}-plus", "", ButtonStyle.MORE, "plus",
            said=_("{name}: add a life point").format(name=name),
            enabled=stage.allows(heal), on_down=True, room_px=room, action=OnTouch(command_reply(heal)),
        ),
    )  # fmt: skip


def _entering(stage: SceneContext, side: Side, body: Rect) -> tuple[Part, ...]:
    _, mm, gap = stage.words.gettext, stage.mm, stage.mm(GAP_MM)
    room = body
    parts: list[Part] = []
    if side.in_play:
        room = _rooms(stage, body)[1]
    elif stage.allows(CarryWounds(side.seat)):
        spot, room = body.split_left(mm(stage.ring.button_mm), gap)
        carry = Button(
            spot, f"seat-{side.seat}-carry", "", ButtonStyle.LESS, "minus",
            said=_("One more wound for the character that enters"), on_down=True, room_px=mm(0.7),
            action=OnTouch(command_reply(CarryWounds(side.seat))),
        )  # fmt: skip
        parts.append(carry)
        if side.carried:
            count, room = room.split_left(mm(16), gap)
            parts.append(Label(count, f"−{side.carried}", mm(12), theme.BRICK, Typeface.BOLD))
    candidates = stage.duel.may_enter(side.seat)
    label, reply = _("Which character enters?"), Reply(opens=enter_character(side.seat))
    if len(candidates) == 1:
        label = _("{character} enters").format(character=candidates[0].value)
        reply = enter_reply(side.seat, candidates[0])
    enter = f"seat-{side.seat}-enter"
    room = room.inset(mm(0.6), mm(1.2))
    button = Button(room, enter, label, ButtonStyle.MAIN, "cards", size_px=mm(5.4), action=OnTouch(reply))
    return (*parts, button)


@scene(
    "duel-line",
    holds=lambda stage, seat, *_: stage.has_duel and stage.duel.turn == seat and stage.duel.may_choose_line,
)
def choose_line(stage: SceneContext, seat: SeatNo, jailed: Character | None = None) -> Dialog:
    """Let a player choose the front character before drawing. ``jailed`` is the character in Jail, if any."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    front, held = _("{character} in front"), _("{character} in Jail")
    side = stage.duel.side(seat)
    now = None if side.front is None else side.front.character
    in_play = [fighter.character for fighter in side.in_play]
    fronts = (
        command_offer(
            stage, f"front-{character_id(who)}", front.format(character=who.value),
            ChooseLine(seat, who, jailed), 4.2, closes=True,
            look=ButtonStyle.MAIN, icon="star", small=_("current") if who is now else "",
        )
        for who in in_play
    )  # fmt: skip
    jails = (
        offer(
            stage, f"jailed-{character_id(who)}", held.format(character=who.value),
            Reply(becomes=choose_line(seat, None if who is jailed else who)), 4.2,
            chosen=who is jailed, icon="lock",
        )
        for who in in_play
    )  # fmt: skip
    text = _("Before drawing. A character staying in Jail this turn can't be in front.")
    head = Heading(_("Front and rear"), text, "cards")
    return Dialog(stage, add_rule(stage, head), (*fronts, *jails, back_offer(stage, 2)))


@scene("duel")
def duel_table(stage: SceneContext) -> tuple[Block, ...]:
    """Draw a half for each player, and a middle turned towards the player in turn."""
    turn = stage.duel.turn
    stage = stage if turn is None else stage.in_language_of(turn)
    return table_page(stage, duel_half, _head(stage), _offers(stage))


def _head(stage: SceneContext) -> Heading:
    _, duel = stage.words.gettext, stage.duel
    name = "" if duel.turn is None else stage.seat(duel.turn).name
    is_long = duel.kind is MatchKind.LONG_DUEL
    rule = _("All five must fall.") if is_long else _("First to five with a lead of two; eight at most.")
    number = _("Turn {number}").format(number=stage.game.turns)
    title = _("{name}'s turn").format(name=name)
    return undone_head(stage) or add_rule(stage, Heading(title, f"{number} · {rule}"))


def _offers(stage: SceneContext) -> tuple[Offer, ...]:
    _, duel = stage.words.gettext, stage.duel
    end = command_offer(stage, "end-turn", _("End turn"), EndTurn(), 2.4, look=ButtonStyle.MAIN, icon="arrow")
    line: tuple[Offer, ...] = ()
    if duel.kind is MatchKind.LONG_DUEL and duel.turn is not None:
        may = duel.may_choose_line and len(duel.side(duel.turn).in_play) > 1
        opens = choose_line(duel.turn)
        line = (offer(stage, "line", _("Front and rear"), opens, 2.4, icon="cards", enabled=may),)
    return (end, *line, *table_offers(stage), lock_offer(stage))
