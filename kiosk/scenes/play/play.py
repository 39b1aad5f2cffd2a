"""The main scene of a game: players' panels with life points, and the turn and the deck in the middle."""

from functools import partial
from typing import Final, assert_never

from core.game.ending.rebel import current_role
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetTurn, can_set_turn, records_turns
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.state.game import Seat
from core.rule_set import OptionKey, RecordMode
from kiosk.i18n import role_name
from kiosk.scenes.guide import turn_head
from kiosk.scenes.play.player_menu import elimination_of, may_eliminate
from kiosk.scenes.play.reshuffles import late_reshuffle
from kiosk.scenes.scene import LifePointsChange, OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import (
    SeatCardState,
    card,
    character_aside,
    fate_aside,
    held_menu,
    on_ring,
    turn_hints,
)
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.life import bullet_parts, change_chip, is_narrow, life_parts, with_menu_sign
from kiosk.scenes.widgets.page_parts import command_offer, lock_offer, offer, table_offers, table_page
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Align, Block, Box, Button, ButtonStyle, Icon, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import NEAR_MM, LifeArrangement, LifeButton, LifeSpots
from kiosk.view import theme
from kiosk.view.intents import LetRest
from kiosk.view.table_view import TableQuestion

_NUMERAL_SHARE: Final = 0.34
"""The width of the numeral in a tall header, as a share of the panel's width."""
_BULLETS_MM: Final = 14.0
_GRAVE_MM: Final = 34.0
"""The height of a tombstone and the text below it."""


def life_panel(stage: SceneContext, seat: Seat, *, touchable: bool = True, is_dying: bool = False) -> Block:
    """Draw the panel of a seat.

    touchable: False while a question in the middle has to be answered first.
    is_dying: the question is about this player's last life point, and a Beer button replaces plus.
    """
    if not seat.in_play:
        return _panel_of_dead(stage, seat)
    if stage.game.mode is RecordMode.LIGHT:
        return _light_panel(stage, seat, touchable=touchable)
    on = stage.game.turn == seat.seat
    spots = stage.life_spots_of(seat.seat)
    state = SeatCardState.ON if on else SeatCardState.PLAIN
    change = next((c for c in stage.changes if c.seat == seat.seat), None)
    if spots.form is LifeArrangement.TALL_HEAD and touchable:
        figure, texts = spots.head.split_right(int(spots.head.w * _NUMERAL_SHARE), 0)
        figure = figure.inset(stage.mm(0.6), stage.mm(0.1))
        parts, _ = card(stage, seat, state, head=texts)
        life = _life_in_head(stage, seat, (texts, figure), change, on=on)
    else:
        points = seat.life, seat.max_life
        has_hint = change is None and bool(turn_hints(stage, seat))
        narrow = touchable and is_narrow(stage, spots.life) and not has_hint
        head, end = spots.head, None
        if narrow:
            # There is room only for the numeral below.
            end, head = head.split_right(stage.mm(_BULLETS_MM), 0)
            end = end.inset(stage.mm(0.8), stage.mm(0.4))
        parts, body = card(stage, seat, state, None if narrow else fate_aside(stage, seat), head=head)
        room = spots.life if touchable else body.inset(stage.mm(2), stage.mm(1))
        reach_mm = NEAR_MM if spots.form is LifeArrangement.BESIDE else 0
        chip = None if narrow else change
        life = life_parts(stage, points, room, chip, is_held=touchable, reach_mm=reach_mm)
        if end is not None:
            life = (
                *life,
                *(bullet_parts(end, points, on=on) if change is None else change_chip(stage, change, end)),
            )
    signs = _buttons(stage, seat, spots, is_dying=is_dying) if touchable else ()
    return on_ring(stage, seat, (*parts, *life, *signs))


plain_panel: Final = partial(life_panel, touchable=False)


def _life_in_head(
    stage: SceneContext, seat: Seat, rooms: tuple[Rect, Rect], change: LifePointsChange | None, *, on: bool
) -> tuple[Part, ...]:
    mm = stage.mm
    texts, figure = rooms
    ink = theme.SOOT if on else theme.INK
    low = texts.split_bottom(texts.h - mm(5.4))[0].inset(mm(1.4), 0)
    numeral = Label(figure, str(seat.life).replace("-", "−"), int(figure.h / 0.7), ink, Typeface.BOLD)
    if change is not None:
        return (numeral, *change_chip(stage, change, low.inset(0, mm(0.6))))
    about = fate_aside(stage, seat)
    upper, lower = low.rows([1, 1], 0)
    lower, sign = with_menu_sign(stage, lower, on=on)
    words: tuple[Part, ...] = ()
    if about is not None:
        soft = theme.SOOT if on else about.colour
        words = (
            Label(
                upper, about.text, stage.type_mm(5), soft, about.face, Align.LEFT, own_words=False,
                brief=about.brief, least_px=mm(3.4),
            ),
        )  # fmt: skip
    return (
        numeral,
        *words,
        *bullet_parts(lower, (seat.life, seat.max_life), on=on, align=Align.LEFT),
        sign,
    )


def _buttons(stage: SceneContext, seat: Seat, spots: LifeSpots, *, is_dying: bool) -> tuple[Part, ...]:
    _ = stage.words.gettext
    number = seat.seat
    less = _("{name}: remove a life point").format(name=seat.name)
    more = _("{name}: add a life point").format(name=seat.name)
    lose, regain = LoseLife(number), RegainLife(number)
    return (
        *turn_button(stage, seat, spots.hold),
        held_menu(stage, seat, spots.hold),
        Button(
            spots.minus.hit, f"seat-{number}-minus", "", ButtonStyle.LESS, "minus", said=less,
            enabled=stage.allows(lose), on_down=True, drawn=spots.minus.drawn, repeats_while_held=True,
            action=OnTouch(command_reply(lose)),
        ),
        _beer_button(stage, seat, spots.plus) if is_dying else
        Button(
            spots.plus.hit, f"seat-{number}-plus", "", ButtonStyle.MORE, "plus", said=more,
            enabled=stage.allows(regain), on_down=True, drawn=spots.plus.drawn,
            action=OnTouch(command_reply(regain)),
        ),
    )  # fmt: skip


def beer_of(stage: SceneContext, seat: Seat) -> SaveLastLife:
    """Return the command to save a player by Beer, from the same card as the last victim's if necessary."""
    beer, same = (SaveLastLife(seat.seat, Rescue.BEER, is_same) for is_same in (False, True))
    return same if not stage.allows(beer) and stage.allows(same) else beer


def _beer_button(stage: SceneContext, seat: Seat, spot: LifeButton) -> Button:
    beer, count = beer_of(stage, seat), 1 - seat.life
    said = stage.words.ngettext("{count} Beer", "{count} Beers", count).format(count=count)
    widest = max(stage.types.width(word, Typeface.BOLD, stage.legible_px) for word in said.split())
    label = said if widest <= spot.drawn.w * 4 // 5 else str(count)
    return Button(
        spot.hit, "rescue-beer", label, ButtonStyle.MAIN, "beer", said=said, size_px=stage.legible_px,
        enabled=stage.allows(beer), drawn=spot.drawn, action=OnTouch(command_reply(beer)),
    )  # fmt: skip


def turn_button(stage: SceneContext, seat: Seat, rect: Rect) -> tuple[Button, ...]:
    """Return an invisible button that gives this player the turn, or nothing if that isn't possible."""
    if not can_set_turn(stage.game, seat.seat) or not records_turns(stage.game, stage.edition):
        return ()
    said = stage.words.gettext("It's {name}'s turn").format(name=seat.name)
    target, action = f"seat-{seat.seat}-turn", OnTouch(command_reply(SetTurn(seat.seat)))
    return (Button(rect, target, "", ButtonStyle.BARE, said=said, action=action),)


def _light_panel(stage: SceneContext, seat: Seat, *, touchable: bool) -> Block:
    """Draw a panel without life points, which takes the turn when tapped and opens the menu when held."""
    _, mm, number = stage.words.gettext, stage.mm, seat.seat
    on = stage.game.turn == number and not stage.game.is_turn_unknown
    parts, body = card(stage, seat, SeatCardState.ON if on else SeatCardState.PLAIN, fate_aside(stage, seat))
    if not touchable:
        return on_ring(stage, seat, parts)
    room = body.inset(mm(1), mm(0.6))
    if room.w >= room.h:
        spot, rest = room.split_right(max(mm(18), room.w * 2 // 5), mm(NEAR_MM))
    else:
        spot, rest = room.split_bottom(max(mm(14), room.h * 2 // 5), mm(NEAR_MM))
    out = OnTouch(elimination_of(number, stage))
    said = _("{name} is eliminated").format(name=seat.name)
    may_say = bool(turn := turn_button(stage, seat, rest))
    words = _("My turn") if may_say else _("Hold: my menu")
    frame = (Box(rest, theme.PARCHMENT, mm(1.2), theme.INK_SOFT, max(1, mm(0.3))),) if may_say else ()
    room, sign = with_menu_sign(stage, rest.inset(mm(0.8)))
    hint = Label(room, words, stage.type_mm(5), theme.INK_SOFT)
    return on_ring(
        stage, seat,
        (
            *parts, *frame, hint, sign, *turn,
            held_menu(stage, seat, rest),
            Button(
                spot, f"seat-{number}-out", _("Out"), ButtonStyle.QUIET, "tombstone", _("eliminated"),
                said=said, size_px=stage.type_mm(5), enabled=may_eliminate(stage, number), action=out,
            ),
        ),
    )  # fmt: skip


def _panel_of_dead(stage: SceneContext, seat: Seat) -> Block:
    mm, is_ghost = stage.mm, seat.seat == stage.game.ghost
    state, ink, soft = SeatCardState.OUT, theme.CREAM, theme.CREAM_SOFT
    if is_ghost:
        # A ghost has its turn like any other player.
        state, ink, soft = SeatCardState.ON, theme.SOOT, theme.SOOT
    parts, body = card(stage, seat, state, character_aside(stage, seat))
    if body.h > body.w:
        room = body.inset(mm(1), 0).centre(body.w - 2 * mm(1), mm(_GRAVE_MM))
        spot, words = room.split_top(min(mm(13), room.w, room.h * 2 // 5), mm(1))
        lower, upper = words.split_bottom(mm(5.5))
        align, role_mm = Align.CENTRE, 5.0
    else:
        room = body.inset(mm(2), mm(2))
        spot, words = room.split_left(min(mm(13), room.h, room.w // 2), mm(2))
        upper, lower = words.centre(words.w, mm(12.5)).rows([1.3, 1], 0)
        align, role_mm = Align.LEFT, 6.0
    public = current_role(stage.game, seat.seat)
    role = role_name(stage.words, public) if public is not None else ""
    out = stage.words.gettext("ghost") if is_ghost else stage.words.gettext("eliminated")
    grave = (
        Icon(spot, "tombstone", soft, theme.PARCHMENT if is_ghost else theme.ASHES),
        Paragraph(upper, role, stage.type_mm(role_mm), ink, Typeface.BOLD, align),
        Label(lower, out, stage.type_mm(5), soft, align=align),
    )
    return on_ring(stage, seat, (*parts, *grave, *turn_button(stage, seat, body)))


_TALL_MM: Final = 1.2
_TICKS: Final = 4


def _turn_bar(stage: SceneContext, middle: Rect) -> tuple[Block, ...]:
    """Draw the turn timer's bar along the upper edge of the middle, or nothing without a timer."""
    time = stage.table.turn_time
    if time is None:
        return ()
    mm = stage.mm
    # The gap above the middle contains no text.
    rect = Rect(middle.x, middle.y - mm(_TALL_MM), middle.w, mm(_TALL_MM))
    room = Rect(0, 0, rect.w, rect.h)
    filled = room.w * time.spent_s // time.limit_s
    parts: list[Part] = [Box(room, theme.PLANK_EDGE)]
    if filled:
        parts.append(Box(Rect(0, 0, filled, room.h), theme.NOON if time.is_over else theme.CREAM_SOFT))
    # Quarter marks make it readable without colours.
    parts += [
        Box(Rect(room.w * tick // _TICKS, 0, max(1, mm(0.3)), room.h), theme.WOOD)
        for tick in range(1, _TICKS)
    ]
    return (Block("turn-bar", rect, tuple(parts)),)


@scene("play")
def play_table(stage: SceneContext) -> tuple[Block, ...]:
    """Draw panels around the edge and, in the middle, buttons turned towards the player in turn."""
    stage = stage.for_turn_player()
    _, deck = stage.words.gettext, stage.words.gettext("Deck {number}")
    end_turn = command_offer(
        stage, "end-turn", _("End turn"), EndTurn(), 2, look=ButtonStyle.MAIN, icon="arrow",
        small=_ruthless(stage),
    )  # fmt: skip
    reshuffle = command_offer(
        stage, "reshuffle", _("Reshuffle"), Reshuffle(), 2.3, icon="shuffle", small_share=1,
        small=deck.format(number=stage.game.reshuffles + 1),
    )  # fmt: skip
    offers = (
        *_answers(stage),
        *((end_turn,) if records_turns(stage.game, stage.edition) else ()),
        *(() if stage.table.question is TableQuestion.RESHUFFLED else (reshuffle,)),
        *table_offers(stage),
        *(() if stage.table.may_redo else (lock_offer(stage),)),
    )
    return table_page(stage, life_panel, turn_head(stage), offers, _turn_bar(stage, stage.ring.middle))


def _answers(stage: SceneContext) -> tuple[Offer, ...]:
    _, question = stage.words.gettext, stage.table.question
    if question is None:
        return ()
    rests, card = Reply(intents=(LetRest(question),)), ButtonStyle.CARD
    match question:
        case TableQuestion.STILL_TURN:
            return (offer(stage, "still-turn", _("Yes, still"), rests, 1.8, look=card),)
        case TableQuestion.RESHUFFLED:
            known = records_turns(stage.game, stage.edition)
            yes = late_reshuffle() if known else command_reply(Reshuffle())
            return (
                offer(stage, "reshuffled", _("Yes"), yes, 1.4, look=card, icon="shuffle"),
                offer(stage, "not-reshuffled", _("Not yet"), rests, 1.6, look=card),
            )
        case _:
            assert_never(question)


def _ruthless(stage: SceneContext) -> str:
    """Return a reminder of the Ruthless Law in the Sheriff's turns, where that law applies.

    Source: Official Score System 2003, "The Ruthless Law".
    """
    if OptionKey.RUTHLESS_LAW not in stage.edition.chosen or stage.game.turn != stage.game.sheriff:
        return ""
    return stage.words.gettext("don't discard BANG!")
