"""The auction of characters: players' bids and purchases around the edge, the current hand in the middle."""

from core.game.play.auction import KeepCharacter, LeaveCharacter
from core.game.play.bidding import Pass, Raise
from core.game.state.auction import Auction, Hand
from core.game.state.game import Seat
from core.terms import Dollars
from kiosk.scenes.bidding import (
    auction_of,
    least_raise,
    nominate,
    raise_bid,
    reveal_characters,
    speaker,
    take_character,
)
from kiosk.scenes.guide import add_rule
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, status_parts, two_lines, with_menu
from kiosk.scenes.widgets.dialogs import scene
from kiosk.scenes.widgets.page_parts import Heading, Offer, offer, table_offers, table_page
from kiosk.ui.blocks import Block, Button, ButtonStyle, Part
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM

_LEAST_MM = 12.0
_RAISE_MM = 16.0


def auction_panel(stage: SceneContext, seat: Seat) -> Block:
    """Draw a seat's panel."""
    stage = stage.in_language_of(seat.seat)
    auction = auction_of(stage)
    is_keeper = seat.seat in auction.keepers
    on = is_keeper or speaker(auction) == seat.seat
    parts, body = card(stage, seat, SeatCardState.ON if on else SeatCardState.PLAIN)
    if is_keeper:
        return on_ring(stage, seat, (*parts, *_keeping(stage, seat, body)))
    if on and auction.hand is not None:
        return on_ring(stage, seat, (*parts, *_bidding(stage, seat, auction.hand, body)))
    room, menu = with_menu(stage, body, seat)
    if on:
        return on_ring(stage, seat, (*parts, _choosing(stage, seat, auction, room), menu))
    if seat.passive and seat.character is None:
        return on_ring(
            stage, seat, (*parts, *status_parts(stage, room, "away", stage.words.gettext("has left")))
        )
    return on_ring(stage, seat, (*parts, *_standing(stage, seat, auction, room), menu))


def _keeping(stage: SceneContext, seat: Seat, body: Rect) -> tuple[Button, ...]:
    """Return the buttons to keep or sell the old character, with its price."""
    _, mm = stage.words.gettext, stage.mm
    stake = seat.stake
    assert stake is not None  # only players with a character are asked
    assert stake.owned is not None
    room = body.inset(mm(1), mm(0.5))
    least, gap = mm(_LEAST_MM), mm(GAP_MM)
    if room.h >= 2 * least + gap:
        other_spot, keep_spot = room.split_bottom(max(least, room.h * 43 // 100), gap)
    else:
        other_spot, keep_spot = room.split_right(max(least, room.w * 36 // 100), gap)
    keep = _("Keep: {price}").format(price=stage.words.money(stake.price))
    return (
        Button(
            keep_spot, f"seat-{seat.seat}-keep", stake.owned.value, ButtonStyle.MAIN, small=keep,
            size_px=mm(4.4),
            said=_("{name} keeps {character}").format(name=seat.name, character=stake.owned.value),
            action=OnTouch(command_reply(KeepCharacter(seat.seat))),
        ),
        Button(
            other_spot, f"seat-{seat.seat}-other", _("Other"), size_px=mm(4),
            said=_("{name} wants another character").format(name=seat.name),
            action=OnTouch(command_reply(LeaveCharacter(seat.seat))),
        ),
    )  # fmt: skip


def _bidding(stage: SceneContext, seat: Seat, hand: Hand, body: Rect) -> tuple[Button, ...]:
    """Return the buttons to pass, bid the next amount or choose another bid; only one on a small panel."""
    _, mm = stage.words.gettext, stage.mm
    room, gap = body.inset(mm(1), mm(0.5)), mm(GAP_MM)
    least, number = mm(_LEAST_MM), seat.seat
    bid = least_raise(stage, hand)
    opens = OnTouch(Reply(opens=raise_bid(number, bid)))
    if room.w >= 2 * least + mm(_RAISE_MM) + 2 * gap:
        pass_spot, rest = room.split_left(max(least, room.w * 27 // 100), gap)
        more_spot, raise_spot = rest.split_right(least, gap)
    elif room.w >= 2 * least + gap and room.h >= 2 * least + gap:
        raise_spot, low = room.rows([1, 1], gap)
        pass_spot, more_spot = low.columns([1, 1], gap)
    else:
        said = _("{name} raises or passes").format(name=seat.name)
        label = _("Raise or pass")
        target, size = f"seat-{number}-bid", mm(4.4)
        return (Button(room, target, label, ButtonStyle.MAIN, size_px=size, said=said, action=opens),)
    return (
        Button(
            pass_spot, f"seat-{number}-pass", _("Pass"), size_px=mm(4.6),
            said=_("{name} passes").format(name=seat.name), action=OnTouch(command_reply(Pass(number))),
        ),
        Button(
            raise_spot, f"seat-{number}-raise", stage.words.money(bid), ButtonStyle.MAIN,
            small=_("raise"), size_px=mm(5.4),
            said=_("{name} bids {bid}").format(name=seat.name, bid=stage.words.money(bid)),
            action=OnTouch(command_reply(Raise(number, bid))),
        ),
        Button(
            more_spot, f"seat-{number}-bid", "", icon="plus",
            said=_("Another bid by {name}").format(name=seat.name), action=opens,
        ),
    )  # fmt: skip


def _choosing(stage: SceneContext, seat: Seat, auction: Auction, room: Rect) -> Button:
    _ = stage.words.gettext
    if auction.taker == seat.seat:
        name, label = "take", _("Take a character")
        said = _("{name} takes a character").format(name=seat.name)
        opens = OnTouch(Reply(opens=take_character(seat.seat)))
    else:
        name, label = "nominate", _("Put one up")
        said = _("{name} puts a character up for auction").format(name=seat.name)
        rule = stage.edition.auction
        least = Dollars(0) if rule is None else rule.minimum
        opens = OnTouch(Reply(opens=nominate(seat.seat, least)))
    target, size = f"seat-{seat.seat}-{name}", stage.mm(5)
    return Button(room, target, label, ButtonStyle.MAIN, size_px=size, said=said, action=opens)


def _standing(stage: SceneContext, seat: Seat, auction: Auction, room: Rect) -> tuple[Part, ...]:
    """Draw what a seat has bought, or its bid for the current hand."""
    _ = stage.words.gettext
    sale = auction.sale(seat.seat)
    if sale is not None:
        price = _("kept for {price}") if sale.kept else _("for {price}")
        return two_lines(stage, room, sale.character.value, price.format(price=stage.words.money(sale.price)))
    hand = auction.hand
    if hand is None:
        return ()
    if hand.leader == seat.seat:
        return two_lines(stage, room, stage.words.money(hand.bid), _("leads"))
    if seat.seat in hand.queue:
        return two_lines(stage, room, _("still in"), "")
    return two_lines(stage, room, "", _("passed"))


@scene("auction")
def auction_table(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the players' panels and the current hand, but never a player's money."""
    offers: tuple[Offer, ...] = table_offers(stage)
    auction = auction_of(stage)
    if not auction.revealed and not auction.keepers:
        _ = stage.words.gettext
        opens, main = Reply(opens=reveal_characters(())), ButtonStyle.MAIN
        up = offer(stage, "turn-up", _("Enter characters"), opens, 2.2, size_mm=5, look=main, icon="cards")
        offers = (up, *offers)
    panels = (auction_panel(stage, seat) for seat in stage.game.seats)
    return table_page(stage, panels, add_rule(stage, _head(stage, auction)), offers)


def _head(stage: SceneContext, auction: Auction) -> Heading:
    """Return the heading, which tells the table what to do now."""
    _, ngettext = stage.words.gettext, stage.words.ngettext
    if auction.keepers:
        count = len(auction.keepers)
        text = ngettext(
            "{count} survivor hasn't answered. The price is what they paid before.",
            "{count} survivors haven't answered. The price is what they paid before.",
            count,
        )
        brief = _("Missing: {count}").format(count=count)
        return Heading(_("Keep your character?"), text.format(count=count), "cards", brief=brief)
    if not auction.revealed:
        count = sum(seat.character is None for seat in stage.game.seats)
        title = ngettext("Turn up {count} character", "Turn up {count} characters", count)
        return Heading(
            title.format(count=count),
            _("At random, one for each player who doesn't have one."),
            "cards",
            brief=_("At random."),
            brief_title=_("Characters"),
        )
    word = speaker(auction)
    name = "" if word is None else stage.seat(word).name
    if auction.hand is not None:
        hand = auction.hand
        title = f"{hand.character.value} · {stage.words.money(hand.bid)}"
        text = _("{leader} leads. {name}: raise or pass?")
        return Heading(title, text.format(leader=stage.seat(hand.leader).name, name=name), "hammer")
    if auction.taker is not None:
        title, text = _("{name} takes a character"), _("If you can't bid, take one of those left.")
    else:
        title, text = _("{name} puts a character up for auction"), _last_sale(stage, auction)
    brief = _("Choose one of {count}.").format(count=len(auction.free))
    return Heading(title.format(name=name), text, "hammer", brief=brief)


def _last_sale(stage: SceneContext, auction: Auction) -> str:
    """Describe the last sale, or the cards on the table before the first one."""
    _ = stage.words.gettext
    sold = [sale for sale in auction.sales if not sale.kept]
    if not sold:
        return _("On the table: {characters}").format(
            characters=", ".join(character.value for character in auction.free)
        )
    last = sold[-1]
    return _("Sold: {character} to {name} for {price}.").format(
        character=last.character.value, name=stage.seat(last.seat).name, price=stage.words.money(last.price)
    )
