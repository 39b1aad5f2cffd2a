"""The preparation of a duel: characters are turned up, drafted and lined up."""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from core.characters import Character, life_points
from core.game.duel.fight import EnterCharacter
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.state.duel import BETTER_PLACED, TURNED_UP, Advantage, DuelPhase, Side
from core.game.state.game import Seat
from core.terms import SeatNo
from kiosk.scenes.guide import add_rule
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import (
    SeatCardState,
    ability_hints,
    card,
    character_button,
    on_ring,
    status_parts,
    with_abilities,
    with_menu,
)
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import (
    back_offer,
    command_offer,
    offer,
    page,
    page_room,
    table_offers,
    table_page,
    title_parts,
)
from kiosk.scenes.widgets.ring_centre import NOWHERE
from kiosk.scenes.widgets.rows import Offer, place_offers, rows_of
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Label, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_ROW_MM = 12.4
_BACK_MM = 24.0
_FEW = 10


def cards_page(
    stage: SceneContext, title: str, offers: Sequence[Offer], cards: Sequence[Button]
) -> tuple[Block, ...]:
    """Draw a page with a grid of cards below a title and buttons."""
    mm, gap = stage.mm, stage.mm(GAP_MM)
    room = page_room(stage)
    wide = room.w >= room.h
    if wide:
        top, below = room.split_top(mm(_ROW_MM), gap)
        ways = [offer for offer in offers if offer.button.id == "back"]
        others = [offer for offer in offers if offer not in ways]
        back, words = top.split_left(mm(_BACK_MM) if ways else 0, mm(3) if ways else 0)
        width = sum(mm(_ROW_MM * offer.share) + gap for offer in others)
        ends, words = words.split_right(width, mm(2) if others else 0)
        buttons = (*place_offers(stage, back, [ways]), *place_offers(stage, ends, [others]))
    else:
        words, rest = room.split_top(mm(9), mm(1))
        row, below = rest.split_top(mm(_ROW_MM), gap)
        buttons = place_offers(stage, row, rows_of(stage, row.w, offers))
    name = title_parts(stage, words, title, ability_hints(stage), size_mm=6.4)
    columns = (5 if len(cards) <= _FEW else 4) if wide else (2 if len(cards) <= _FEW else 3)
    spots = below.grid(len(cards), min(columns, max(len(cards), 1)), gap)
    placed = (msgspec.structs.replace(card, rect=spot) for card, spot in zip(cards, spots, strict=False))
    return page(stage, (*name, *buttons, *with_abilities(stage, placed)), "cards")


def character_card(
    stage: SceneContext, character: Character, reply: Reply, *, small: str = "", chosen: bool = False,
    enabled: bool = True,
) -> Button:  # fmt: skip
    """Return a character's card as a button. ``small`` is the text below the name, by default life points."""
    points = life_points(character)
    life = stage.words.ngettext("{count} life point", "{count} life points", points).format(count=points)
    size = stage.mm(4.6)
    return character_button(NOWHERE, character, reply, small or life, size, chosen=chosen, enabled=enabled)


def enter_reply(seat: SeatNo, character: Character) -> Reply:
    return command_reply(EnterCharacter(seat, character), closes=True)


@scene("duel-enter", holds=lambda stage, seat: stage.has_duel and bool(stage.duel.entering(seat)))
def enter_character(stage: SceneContext, seat: SeatNo) -> tuple[Block, ...]:
    """Let a player choose the next character of their pile."""
    stage = stage.in_language_of(seat)
    title = stage.words.gettext("{name}: which character enters?").format(name=stage.seat(seat).name)
    deck = stage.edition.characters.deck
    cards = tuple(
        character_card(stage, who, enter_reply(seat, who))
        for who in stage.duel.may_enter(seat)
        if who in deck
    )
    return cards_page(stage, title, (back_offer(stage, 2),), cards)


@scene("duel-turn-up", when=lambda stage: stage.has_duel and stage.duel.phase is DuelPhase.FACE_UP)
def turn_up(stage: SceneContext, up: tuple[Character, ...] = ()) -> tuple[Block, ...]:
    """Let the judge enter the revealed characters. ``up`` are those tapped so far."""
    _ = stage.words.gettext
    title = _("{count} of {all} face up").format(count=len(up), all=TURNED_UP)
    done = command_offer(
        stage, "turned-up", _("Confirm"), TurnUpCharacters(up), 2.2, closes=True,
        look=ButtonStyle.MAIN, icon="check",
    )  # fmt: skip
    full = len(up) >= TURNED_UP
    cards = tuple(
        character_card(stage, who, _turn(up, who), chosen=who in up, enabled=who in up or not full)
        for who in stage.edition.characters.deck
    )
    return cards_page(stage, title, (done, back_offer(stage, 2)), cards)


def _turn(up: tuple[Character, ...], who: Character) -> Reply:
    others = tuple(other for other in up if other is not who)
    return Reply(becomes=turn_up(others if who in up else (*up, who)))


@scene("duel-draft")
def duel_draft(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the ten characters, with the owners of those picked, turned towards the player who picks next."""
    duel = stage.duel
    picker = duel.picker or stage.game.seats[0].seat
    stage = stage.in_language_of(picker)
    owners = {who: side.seat for side in duel.sides for who in side.picks}
    cards = tuple(
        character_card(
            stage, who, command_reply(PickCharacter(picker, who)), enabled=who not in owners,
            small=stage.seat(owners[who]).name if who in owners else "",
        )
        for who in duel.face_up
    )  # fmt: skip
    title = stage.words.gettext("{name} picks").format(name=stage.seat(picker).name)
    return cards_page(stage, title, table_offers(stage), cards)


@scene(
    "duel-show-line",
    holds=lambda stage, seat, *_: (
        stage.has_duel and stage.duel.phase is DuelPhase.LINES and not stage.duel.side(seat).shown
    ),
)
def show_line(stage: SceneContext, seat: SeatNo, front: Character | None = None) -> tuple[Block, ...]:
    """Let a player name the front and the rear character, which are no secret."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    title = _("Tap the character in front") if front is None else _("Now the one at the rear")

    def take(who: Character) -> Reply:
        if front is None:
            return Reply(becomes=show_line(seat, who))
        return command_reply(ShowLine(seat, front, who), closes=True)

    cards = tuple(
        character_card(
            stage, who, take(who), chosen=who is front,
            small=_("in front") if who is front else "", enabled=who is not front,
        )
        for who in stage.duel.side(seat).picks
    )  # fmt: skip
    return cards_page(stage, title, (back_offer(stage, 2),), cards)


@scene("duel-setup")
def duel_setup(stage: SceneContext) -> tuple[Block, ...]:
    """Draw a half with questions for each player, and instructions between them."""
    offers = [*table_offers(stage)]
    if stage.duel.phase is DuelPhase.FACE_UP:
        _ = stage.words.gettext
        main = ButtonStyle.MAIN
        offers.insert(0, offer(stage, "turn-up", _("Which ten?"), turn_up(), 2.6, look=main, icon="cards"))
    return table_page(stage, _half, add_rule(stage, _head(stage)), offers)


def _half(stage: SceneContext, seat: Seat) -> Block:
    aside = None
    if seat.seat == BETTER_PLACED:
        words = stage.words.gettext("better placed")
        aside = Label(Rect(0, 0, 0, 0), words, stage.mm(3.9), theme.INK_SOFT)
    parts, body = card(stage, seat, SeatCardState.PLAIN, aside)
    room, menu = with_menu(stage, body, seat)
    return on_ring(stage, seat, (*parts, *_task_parts(stage, stage.duel.side(seat.seat), room), menu))


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
    _, mm = stage.words.gettext, stage.mm
    seat = side.seat
    match stage.duel.phase:
        case DuelPhase.CHOICE if seat == BETTER_PLACED:
            return _advantages(stage, room)
        case DuelPhase.LINES if not side.shown:
            words = _("Show front and rear")
            opens, main = OnTouch(show_line(seat)), ButtonStyle.MAIN
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
    words, opens = _("First character"), OnTouch(enter_character(side.seat))
    target, size = f"seat-{side.seat}-first", mm(5)
    return (Button(first, target, words, ButtonStyle.MAIN, "cards", size_px=size, action=opens), button)


def _characters(stage: SceneContext, side: Side, room: Rect) -> tuple[Part, ...]:
    mm = stage.mm
    names = " · ".join(fighter.character.value for fighter in side.in_play)
    cards = side.in_play[0].max_life
    hand = stage.words.ngettext("{count} card to start with", "{count} cards to start with", cards)
    upper, lower = room.inset(mm(1.4), 0).rows([1.3, 1], 0)
    return (
        Label(upper, names, mm(5.4), theme.INK, Typeface.BOLD, Align.LEFT, own_words=False),
        Label(lower, hand.format(count=cards), mm(4.2), theme.INK_SOFT, align=Align.LEFT),
    )
