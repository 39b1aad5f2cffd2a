"""The choice of the players' characters before the game, and of the cards that survivors keep."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from core.characters import Character, life_points
from core.game.setup import (
    BeginGame,
    ChooseCharacter,
    KeepCards,
    experience_of,
    may_keep_cards,
    starting_life,
)
from core.game.state.game import Phase, Seat
from core.rule_set import RecordMode
from core.terms import SHERIFF_SEAT, SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.guide import add_rule
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import (
    SeatCardState,
    ability_hints,
    card,
    character_aside,
    character_button,
    on_ring,
    two_lines,
    with_abilities,
    with_menu,
)
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import (
    command_offer,
    offer,
    page,
    page_head,
    page_room,
    table_offers,
    table_page,
)
from kiosk.scenes.widgets.ring_centre import NOWHERE
from kiosk.ui.blocks import Block, Button, ButtonStyle, Part
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM


@scene("characters", when=lambda stage: stage.is_in(Phase.CHARACTERS))
def choose_character(stage: SceneContext, seat: SeatNo, *, goes_on: bool = False) -> tuple[Block, ...]:
    """Let a player choose a character that no other seat has.

    goes_on: afterwards, let the next player without a character choose.
    """
    stage = stage.in_language_of(seat)
    room = page_room(stage)
    words = stage.words.gettext("{name} chooses").format(name=stage.seat(seat).name)
    begin = None
    if goes_on and stage.allows(BeginGame()):
        without, action = stage.words.gettext("Begin anyway"), command_reply(BeginGame(), closes=True)
        size = stage.mm(4)
        begin = Button(NOWHERE, "begin-game", without, size_px=size, icon="arrow", action=OnTouch(action))
    grid, head = page_head(stage, words, begin, hints=ability_hints(stage))
    deck = stage.edition.characters.deck
    cells = grid.grid(len(deck), 4 if room.w >= room.h else 3, stage.mm(GAP_MM))
    cards = (
        _choice_button(stage, (seat, who), cell, goes_on=goes_on)
        for cell, who in zip(cells, deck, strict=False)
    )
    return page(stage, (*head, *with_abilities(stage, cards)), "choice")


def _choice_button(
    stage: SceneContext, choice: tuple[SeatNo, Character], cell: Rect, *, goes_on: bool
) -> Button:
    seat, character = choice
    owner = next((s for s in stage.game.seats if s.character is character), None)
    command = ChooseCharacter(seat, character)
    mine = owner is not None and owner.seat == seat
    reply, following = command_reply(command, closes=True), next_without_character(stage, seat)
    if goes_on and following is not None:
        reply = Reply(command_reply(command).intents, becomes=choose_character(following, goes_on=True))
    small = life_words(stage, seat, character) if owner is None or mine else owner.name
    size, may = stage.type_mm(5), stage.allows(command)
    return character_button(cell, character, reply, small, size, chosen=mine, enabled=may)


def next_without_character(stage: SceneContext, after: SeatNo | None = None) -> SeatNo | None:
    """Return the next seat clockwise without a character, or None if there is no other."""
    seats = stage.game.seats[after or 0 :] + stage.game.seats[: (after or 1) - 1]
    return next((seat.seat for seat in seats if seat.character is None and not seat.passive), None)


def life_words(stage: SceneContext, seat: SeatNo, character: Character) -> str:
    """Name a character's life points at a seat, as the Sheriff has an extra one."""
    extra = stage.edition.characters.sheriff_extra_life if seat == SHERIFF_SEAT else 0
    points = life_points(character) + extra
    return stage.words.ngettext("{count} life point", "{count} life points", points).format(count=points)


_MOST_MM = 22.0
_FEW = 3
_FEW_MM = 44.0
"""The height of up to three cards, which are as tall as real ones."""


def character_grid(
    stage: SceneContext,
    seat: SeatNo | None,
    room: Rect,
    characters: Sequence[Character],
    reply: Callable[[Character], Reply],
    *,
    chosen: Sequence[Character | None] = (),
    full: bool = False,
) -> Iterator[Button]:
    """Draw a button for each character, with its life points at a seat. Held, it explains the ability.

    reply: returns the reply to a touch.
    full: enough are chosen, so that only a chosen one can be tapped, to give it back.
    """
    gap = stage.mm(GAP_MM)
    columns = min(4 if room.w >= room.h else 3, max(1, len(characters)))
    count = -(-len(characters) // columns)
    few = len(characters) <= _FEW
    high = count * (stage.mm(_FEW_MM if few else _MOST_MM) + gap) - gap
    room = room.centre(room.w, high) if few else room.split_top(high)[0]
    size = stage.mm(6.4 if few else 4.6)
    cards = (
        character_button(
            cell, character, reply(character), "" if seat is None else life_words(stage, seat, character),
            size, chosen=character in chosen, enabled=character in chosen or not full,
        )
        for cell, character in zip(room.grid(len(characters), columns, gap), characters, strict=False)
    )  # fmt: skip
    return with_abilities(stage, cards)


def _may_keep_cards(stage: SceneContext, seat: SeatNo) -> bool:
    player = stage.seat(seat) if stage.is_in(Phase.CHARACTERS) else None
    return player is not None and player.character is not None and may_keep_cards(player, stage.edition)


@scene("kept-cards", holds=_may_keep_cards)
def kept_cards(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Choose how many cards a survivor keeps. Nothing shows how much money the player has."""
    stage = stage.in_language_of(seat)
    _, ngettext = stage.words.gettext, stage.words.ngettext
    player, rule = stage.seat(seat), experience_of(stage.edition)
    most, each = 0, 0
    if rule is not None and player.character is not None:
        most = starting_life(player.character, stage.edition, sheriff=seat == SHERIFF_SEAT)
        each = rule.dollars
    numbers = tuple(
        offer(
            stage, f"cards-{count}", ngettext("{count} card", "{count} cards", count).format(count=count),
            command_reply(KeepCards(seat, count), closes=True), 1.3,
            look=ButtonStyle.CARD, chosen=count == player.cards.cards,
            small=stage.words.money(count * each),
        )
        for count in range(most + 1)
    )  # fmt: skip
    text = _(
        "Keep cards that were in front of {name} at the end of the last game, for ${price} "
        "each. They go into the starting hand."
    ).format(name=player.name, price=each)
    head = Heading(_("Keep cards?"), text, "cards", rule=Rule.KEPT_CARDS.value)
    return Dialog(stage, head, numbers)


_LIFE_WORDS_MM: Final = 26.0
"""The panel width from which life points are shown beside the price."""


@scene("characters")
def characters(stage: SceneContext) -> tuple[Block, ...]:
    """Draw each player's character, and the button to begin the game."""
    _ = stage.words.gettext
    first = next_without_character(stage)
    begin = partial(command_offer, stage, "begin-game", command=BeginGame(), share=2.2, icon="arrow")
    offers = [begin(_("Begin"), look=ButtonStyle.MAIN)]
    if first is not None and stage.edition.auction is None:
        # Ask one player after another; a light game can begin without the rest.
        opens, words = choose_character(first, goes_on=True), _("Enter all")
        offers = [offer(stage, "enter-all", words, opens, 2.2, look=ButtonStyle.MAIN, icon="cards")]
        if stage.game.mode is RecordMode.LIGHT and stage.allows(BeginGame()):
            offers.append(begin(_("Begin anyway")))
    return table_page(stage, _panel, add_rule(stage, _title(stage)), (*offers, *table_offers(stage)))


def _title(stage: SceneContext) -> Heading:
    _ = stage.words.gettext
    dealt = stage.edition.characters.dealt
    if stage.allows(BeginGame()) and next_without_character(stage) is None:
        text = _("Deal each player as many cards as they have life points, then begin.")
        if any(may_keep_cards(seat, stage.edition) for seat in stage.game.seats):
            text = _("Everybody has a character.")
        return Heading(_("All set"), text, "cards", brief=_("Deal the cards, then begin."))
    if stage.edition.auction is not None:
        return Heading(_("All set"), _("Everybody has a character."), "cards")
    if dealt == 1:
        text = _("One for each player: tap your card and say which it is.")
        brief, title = _("One for each player."), _("Characters")
        return Heading(_("Deal the characters"), text, "cards", brief=brief, brief_title=title)
    text = _("Deal {count} characters to each player. Keep one; all reveal theirs together.")
    brief = _("Deal {count} each; keep one.").format(count=dealt)
    title = _("Characters")
    return Heading(_("Choose a character"), text.format(count=dealt), "cards", brief=brief, brief_title=title)


def _panel(stage: SceneContext, seat: Seat) -> Block:
    buys_cards = seat.character is not None and may_keep_cards(seat, stage.edition)
    parts, body = card(stage, seat, SeatCardState.PLAIN, character_aside(stage, seat) if buys_cards else None)
    room, menu = with_menu(stage, body, seat)
    cards: tuple[Part, ...] = ()
    if buys_cards:
        shares, gap = [1, 1.2], stage.mm(GAP_MM)
        wide = room.w >= stage.mm(2 * 12 + 4) + gap
        low = room.h < stage.mm(2 * 11.9) + gap
        room, spot = room.columns(shares, gap) if wide or low else room.rows([1, 1], gap)
        cards = (_cards(stage, seat, spot),)
    if stage.edition.auction is not None and seat.character is not None:
        parts = (*parts, *_price_parts(stage, seat, room, is_named=buys_cards))
    else:
        parts = (*parts, _choice(stage, seat, room, is_named=buys_cards))
    return on_ring(stage, seat, (*parts, *cards, menu))


def _choice(stage: SceneContext, seat: Seat, room: Rect, *, is_named: bool) -> Button:
    _ = stage.words.gettext
    chosen = seat.character
    label, small = _("Choose"), ""
    if chosen is not None:
        label, small = chosen.value, life_words(stage, seat.seat, chosen)
    if is_named:
        # The name row shows the character.
        label, small = _("Change"), ""
    target, look = ("character", ButtonStyle.MAIN) if chosen is None else ("change", ButtonStyle.QUIET)
    return Button(
        room, f"seat-{seat.seat}-{target}", label, look, small=small, size_px=stage.type_mm(5),
        said=_("{name}'s character").format(name=seat.name),
        action=OnTouch(choose_character(seat.seat)),
    )  # fmt: skip


def _cards(stage: SceneContext, seat: Seat, room: Rect) -> Button:
    _, kept = stage.words.gettext, seat.cards
    label = stage.words.ngettext("{count} card", "{count} cards", kept.cards).format(count=kept.cards)
    small = stage.words.money(kept.dollars) if kept.cards else _("keep?")
    return Button(
        room, f"seat-{seat.seat}-cards", label, small=small,
        size_px=stage.type_mm(5), said=_("Cards {name} keeps").format(name=seat.name),
        action=OnTouch(kept_cards(seat.seat)),
    )  # fmt: skip


def _price_parts(stage: SceneContext, seat: Seat, room: Rect, *, is_named: bool) -> tuple[Part, ...]:
    sale = None if stage.game.auction is None else stage.game.auction.sale(seat.seat)
    if sale is None:
        return ()
    if is_named or room.w < stage.mm(_LIFE_WORDS_MM):
        upper = "" if is_named else sale.character.value
        return two_lines(stage, room, upper, stage.words.money(sale.price))
    life = life_words(stage, seat.seat, sale.character)
    return two_lines(stage, room, sale.character.value, f"{stage.words.money(sale.price)} · {life}")
