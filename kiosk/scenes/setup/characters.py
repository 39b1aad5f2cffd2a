"""The players' characters before the game; each player's panel opens the choice."""

from typing import Final

from core.game.setup import (
    BeginGame,
    KeepCards,
    experience_of,
    may_keep_cards,
    starting_life,
)
from core.game.state.game import Phase, Seat
from core.rule_set import RecordMode
from core.terms import SHERIFF_SEAT, SeatNo
from kiosk.scenes.heads.guide import add_rule
from kiosk.scenes.scene import OnTouch, PersistentScene, Reply, SceneContext, command_reply
from kiosk.scenes.setup.character_choice import ChoiceScene, life_words, next_without_character
from kiosk.scenes.widgets.card import SeatCardState, card, character_aside, on_ring, two_lines, with_menu
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, offer, table_offers, table_page
from kiosk.ui.blocks import Block, Button, ButtonStyle, Part
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM


def _may_keep_cards(stage: SceneContext, seat: SeatNo) -> bool:
    if not stage.is_in(Phase.CHARACTERS):
        return False
    player = stage.seat(seat)
    return player.character is not None and may_keep_cards(player, stage.edition)


@dialog("kept-cards", holds=_may_keep_cards)
def kept_cards(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Choose how many cards a survivor keeps, limited only by life points.

    The player's budget is secret, so it never disables a button.
    """
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
            look=ButtonStyle.CHOSEN if count == player.cards.cards else ButtonStyle.CARD,
            small=stage.words.money(count * each),
        )
        for count in range(most + 1)
    )  # fmt: skip
    text = _(
        "Keep cards that were in front of {name} at the end of the last game, for ${price} "
        "each. They go into the starting hand."
    ).format(name=player.name, price=each)
    head = Heading(_("Keep cards?"), text, "cards")
    return Dialog(stage, head, (*numbers, back_offer(stage, 1.3)))


_LIFE_WORDS_MM: Final = 26.0
"""The panel width from which life points are shown beside the price."""


class CharactersScene(PersistentScene):
    """The characters of all players before the game."""

    name: Final = "characters"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw panels with the chosen characters, and the button to begin the game."""
        _ = stage.words.gettext
        first = next_without_character(stage)
        command = BeginGame()
        begin = offer(
            stage, "begin-game", _("Begin"), command_reply(command), 2.2, size_mm=5, look=ButtonStyle.MAIN,
            icon="arrow", enabled=stage.allows(command),
        )  # fmt: skip
        ways: tuple[Offer, ...] = (begin,)
        if first is not None and stage.edition.auction is None:
            # Ask one player after another, and offer to begin without the rest.
            opens, words = Reply(opens=ChoiceScene(first, goes_on=True)), _("Enter all")
            enter = offer(
                stage, "enter-all", words, opens, 2.2, size_mm=5, look=ButtonStyle.MAIN, icon="cards"
            )
            ways = (enter, *_begin_without(stage))
        offers = (*ways, *table_offers(stage))
        head = add_rule(stage, _title(stage))
        panels = (_panel(stage, seat) for seat in stage.game.seats)
        return table_page(stage, panels, head, offers)


def _begin_without(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button to begin without characters, if life points don't depend on them."""
    command = BeginGame()
    if stage.game.mode is not RecordMode.LIGHT or not stage.allows(command):
        return ()
    words = stage.words.gettext("Begin without")
    return (offer(stage, "begin-game", words, command_reply(command), 2.2, size_mm=5, icon="arrow"),)


def _title(stage: SceneContext) -> Heading:
    """Return a heading with what to do, depending on how characters are dealt."""
    _ = stage.words.gettext
    dealt = stage.edition.characters.dealt
    if stage.allows(BeginGame()) and next_without_character(stage) is None:
        text = _("Deal each player as many cards as life points, then begin.")
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
    """Draw the character with a button to change it, unless it was bought, and the kept cards."""
    stage = stage.in_language_of(seat.seat)
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
        return on_ring(
            stage, seat, (*parts, *_price_parts(stage, seat, room, short=buys_cards), *cards, menu)
        )
    return on_ring(stage, seat, (*parts, _choice(stage, seat, room, short=buys_cards), *cards, menu))


def _choice(stage: SceneContext, seat: Seat, room: Rect, *, short: bool) -> Button:
    """Return the button with the seat's character. ``short`` means that the name row shows it already."""
    _ = stage.words.gettext
    chosen = seat.character
    label, small = _("Choose"), ""
    if chosen is not None:
        label, small = chosen.value, life_words(stage, seat.seat, chosen)
    if short:
        label, small = _("Change"), ""
    return Button(
        room,
        f"seat-{seat.seat}-{'character' if chosen is None else 'change'}",
        label,
        ButtonStyle.MAIN if chosen is None else ButtonStyle.QUIET,
        small=small,
        size_px=stage.type_mm(5),
        said=_("{name}'s character").format(name=seat.name),
        action=OnTouch(Reply(opens=ChoiceScene(seat.seat))),
    )


def _cards(stage: SceneContext, seat: Seat, room: Rect) -> Button:
    _, ngettext = stage.words.gettext, stage.words.ngettext
    kept = seat.cards
    return Button(
        room,
        f"seat-{seat.seat}-cards",
        ngettext("{count} card", "{count} cards", kept.cards).format(count=kept.cards),
        ButtonStyle.QUIET,
        small=stage.words.money(kept.dollars) if kept.cards else _("keep?"),
        size_px=stage.type_mm(5),
        said=_("Cards {name} keeps").format(name=seat.name),
        action=OnTouch(Reply(opens=kept_cards(seat.seat))),
    )


def _price_parts(stage: SceneContext, seat: Seat, room: Rect, *, short: bool) -> tuple[Part, ...]:
    """Draw the price of the character. ``short`` means that the name row shows the character already."""
    sale = None if stage.game.auction is None else stage.game.auction.sale(seat.seat)
    if sale is None:
        return ()
    if short or room.w < stage.mm(_LIFE_WORDS_MM):
        upper = "" if short else sale.character.value
        return two_lines(stage, room, upper, stage.words.money(sale.price))
    life = life_words(stage, seat.seat, sale.character)
    return two_lines(stage, room, sale.character.value, f"{stage.words.money(sale.price)} · {life}")
