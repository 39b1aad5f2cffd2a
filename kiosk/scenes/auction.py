"""The auction of characters, with the current hand in the middle and everybody's bids around it."""

from collections.abc import Callable
from functools import partial

from core.characters import Character
from core.game.play.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.state.auction import Auction, Hand
from core.game.state.game import Phase, Seat
from core.terms import SHERIFF_SEAT, Dollars, SeatNo
from kiosk.rules.card import ability_of
from kiosk.scenes import pages
from kiosk.scenes.characters import character_grid
from kiosk.scenes.guide import add_rule
from kiosk.scenes.scene import OnTouch, Reply, Scene, SceneContext, command_reply
from kiosk.scenes.widgets.card import (
    SeatCardState,
    ability_hints,
    card,
    on_ring,
    status_parts,
    two_lines,
    with_menu,
)
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import offer, page, page_head, page_room, table_offers, table_page
from kiosk.scenes.widgets.rows import Offer, place_offers, rows_of
from kiosk.ui.blocks import Block, Button, ButtonStyle, Part
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM


def auction_of(stage: SceneContext) -> Auction:
    """Return the auction. Only scenes of an auction may call it."""
    assert stage.game.auction is not None
    return stage.game.auction


def speaker(auction: Auction) -> SeatNo | None:
    """Return the seat that has to bid, put up or take a character, or None."""
    if auction.hand is not None:
        return auction.hand.word
    return auction.nominator or auction.taker


def least_raise(stage: SceneContext, hand: Hand) -> Dollars:
    step = _step(stage)
    return Dollars((hand.bid // step + 1) * step)


def _may_reveal(stage: SceneContext, up: tuple[Character, ...]) -> bool:
    auction = stage.game.auction if stage.is_in(Phase.AUCTION) else None
    is_awaited = auction is not None and not auction.revealed and not auction.keepers
    return is_awaited and len(up) <= _count_without_character(stage)


@scene("turn-up", holds=_may_reveal)
def reveal_characters(stage: SceneContext, up: tuple[Character, ...]) -> tuple[Block, ...]:
    """Let the Sheriff enter the revealed characters. ``up`` are those tapped so far, in order."""
    stage = stage.in_language_of(SHERIFF_SEAT)
    _, mm = stage.words.gettext, stage.mm
    wanted = _count_without_character(stage)
    enter = command_reply(RevealCharacters(up), closes=True)
    done = Button(
        Rect(0, 0, 0, 0), "turned-up", _("Confirm"), ButtonStyle.MAIN, "check", size_px=mm(4.6),
        enabled=len(up) == wanted, action=OnTouch(enter),
    )  # fmt: skip
    words = _("{count} of {wanted} characters").format(count=len(up), wanted=wanted)
    kept = {seat.character for seat in stage.game.seats}
    deck = tuple(character for character in stage.edition.characters.deck if character not in kept)
    grid, head = page_head(stage, words, done, hints=ability_hints(stage))
    full = len(up) == wanted
    cards = character_grid(stage, None, grid, deck, partial(_turn, up), chosen=up, full=full)
    return page(stage, (*head, *cards), "turn-up")


def _turn(up: tuple[Character, ...], character: Character) -> Reply:
    others = tuple(other for other in up if other is not character)
    return Reply(becomes=reveal_characters(others if character in up else (*up, character)))


@scene("take", holds=lambda stage, seat: stage.is_in(Phase.AUCTION) and auction_of(stage).taker == seat)
def take_character(stage: SceneContext, seat: SeatNo) -> tuple[Block, ...]:
    """Let a player who can't bid take one of the last characters."""
    stage = stage.in_language_of(seat)
    words = stage.words.gettext("{name} takes a character").format(name=stage.seat(seat).name)
    grid, head = page_head(stage, words, hints=ability_hints(stage))

    def take(character: Character) -> Reply:
        return command_reply(TakeCharacter(seat, character), closes=True)

    cards = character_grid(stage, seat, grid, auction_of(stage).free, take)
    return page(stage, (*head, *cards), "take")


def _count_without_character(stage: SceneContext) -> int:
    return sum(seat.character is None for seat in stage.game.seats)


_MANY_STEPS = (1, 5, 10)


def least_bid(stage: SceneContext) -> Dollars:
    return Dollars(0) if stage.edition.auction is None else stage.edition.auction.minimum


def _may_nominate(stage: SceneContext, seat: SeatNo, *_chosen: object) -> bool:
    auction = stage.game.auction if stage.is_in(Phase.AUCTION) else None
    return auction is not None and auction.hand is None and auction.nominator == seat


@scene("nominate", holds=_may_nominate)
def nominate(
    stage: SceneContext, seat: SeatNo, bid: Dollars, character: Character | None = None
) -> tuple[Block, ...]:
    """Let a player put up a character for auction.

    bid: the amount chosen so far.
    character: the one chosen so far, or None.
    """
    stage = stage.in_language_of(seat)
    room = page_room(stage)
    gap, mm, _ = stage.mm(GAP_MM), stage.mm, stage.words.gettext
    words = _("{name} puts a character up for auction").format(name=stage.seat(seat).name)
    rest, head = page_head(stage, words, hints=ability_hints(stage))
    offered = Reply() if character is None else command_reply(Nominate(seat, character, bid), closes=True)
    put_up = offer(
        stage, "offer", stage.words.money(bid), offered, 2.6,
        look=ButtonStyle.MAIN, icon="hammer", small=_("put up"), enabled=character is not None,
    )  # fmt: skip
    steps = _bid_steps(stage, bid, least_bid(stage), lambda other: nominate(seat, other, character))
    rows = rows_of(stage, room.w, (*steps, put_up))
    bids, grid = rest.split_bottom(len(rows) * (mm(14) + gap) - gap, gap)
    free = auction_of(stage).free

    def choose(other: Character) -> Reply:
        return Reply(becomes=nominate(seat, bid, other))

    cards = character_grid(stage, seat, grid, free, choose, chosen=(character,))
    return page(stage, (*head, *cards, *place_offers(stage, bids, rows)), "nominate")


def _may_raise(stage: SceneContext, seat: SeatNo, bid: Dollars) -> bool:
    auction = stage.game.auction if stage.is_in(Phase.AUCTION) else None
    hand = None if auction is None else auction.hand
    return hand is not None and hand.word == seat and bid > hand.bid


@scene("raise", holds=_may_raise)
def raise_bid(stage: SceneContext, seat: SeatNo, bid: Dollars) -> Dialog:
    """Let a player raise the bid. ``bid`` is the amount chosen so far."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    hand = auction_of(stage).hand
    if hand is None:
        return Dialog(stage, Heading(""), ())
    name = stage.seat(seat).name
    higher, passed = (command_reply(command, closes=True) for command in (Raise(seat, bid), Pass(seat)))
    menu, said = Reply(becomes=pages.player_menu(seat)), _("{name}'s menu").format(name=name)
    offers = (
        *_bid_steps(stage, bid, least_raise(stage, hand), lambda other: raise_bid(seat, other)),
        offer(
            stage, "offer", stage.words.money(bid), higher, 2.6, look=ButtonStyle.MAIN,
            icon="hammer", small=_("raise"),
        ),
        offer(stage, "pass", _("Pass"), passed, 1.4),
        offer(stage, f"seat-{seat}-menu", "", menu, 1.2, size_mm=0, icon="menu", said=said),
    )  # fmt: skip
    title = f"{hand.character.value} · {stage.words.money(hand.bid)}"
    text = _("{leader} leads. {name}: raise or pass?")
    text = text.format(leader=stage.seat(hand.leader).name, name=name)
    head = Heading(title, f"{_ability(stage, hand)} {text}", "hammer", brief=text)
    return Dialog(stage, add_rule(stage, head), offers)


def _ability(stage: SceneContext, hand: Hand) -> str:
    return ability_of(hand.character, stage.edition, stage.words)


def _bid_steps(
    stage: SceneContext, bid: Dollars, least: Dollars, after: Callable[[Dollars], Scene]
) -> tuple[Offer, ...]:
    """Return the buttons to change a bid, which never reveal how much money a player has.

    least: the lowest possible bid.
    after: returns the scene with another bid.
    """
    _, step = stage.words.gettext, _step(stage)
    less, said = Reply(becomes=after(Dollars(bid - step))), _("${step} less").format(step=step)
    more = (
        offer(
            stage, f"bid-more-{steps}", stage.words.number(f"+{steps:,}"),
            Reply(becomes=after(Dollars(bid + steps))), 1.15,
            said=_("${step} more").format(step=steps), may_repeat=True,
        )
        for steps in (times * step for times in _MANY_STEPS)
    )  # fmt: skip
    return (
        offer(
            stage, "bid-less", stage.words.number(f"−{step:,}"), less, enabled=bid - step >= least,
            said=said, may_repeat=True,
        ),
        *more,
    )  # fmt: skip


def _step(stage: SceneContext) -> int:
    return 1 if stage.edition.auction is None else stage.edition.auction.step


_LEAST_MM = 12.0
_RAISE_MM = 16.0


def auction_panel(stage: SceneContext, seat: Seat) -> Block:
    """Draw a panel with a player's buttons, or what they have bid or bought."""
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
        left = status_parts(stage, room, "away", stage.words.gettext("has left"))
        return on_ring(stage, seat, (*parts, *left))
    return on_ring(stage, seat, (*parts, *_standing(stage, seat, auction, room), menu))


def _keeping(stage: SceneContext, seat: Seat, body: Rect) -> tuple[Button, ...]:
    _, mm = stage.words.gettext, stage.mm
    stake = seat.stake
    assert stake is not None
    assert stake.owned is not None  # only players with a character are asked
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
    _, mm = stage.words.gettext, stage.mm
    room, gap = body.inset(mm(1), mm(0.5)), mm(GAP_MM)
    least, number = mm(_LEAST_MM), seat.seat
    bid = least_raise(stage, hand)
    opens = OnTouch(raise_bid(number, bid))
    if room.w >= 2 * least + mm(_RAISE_MM) + 2 * gap:
        pass_spot, rest = room.split_left(max(least, room.w * 27 // 100), gap)
        more_spot, raise_spot = rest.split_right(least, gap)
    elif room.w >= 2 * least + gap and room.h >= 2 * least + gap:
        raise_spot, low = room.rows([1, 1], gap)
        pass_spot, more_spot = low.columns([1, 1], gap)
    else:
        label, said = _("Raise or pass"), _("{name} raises or passes").format(name=seat.name)
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
        opens = OnTouch(take_character(seat.seat))
    else:
        name, label = "nominate", _("Put one up")
        said = _("{name} puts a character up for auction").format(name=seat.name)
        opens = OnTouch(nominate(seat.seat, least_bid(stage)))
    target, size = f"seat-{seat.seat}-{name}", stage.mm(5)
    return Button(room, target, label, ButtonStyle.MAIN, size_px=size, said=said, action=opens)


def _standing(stage: SceneContext, seat: Seat, auction: Auction, room: Rect) -> tuple[Part, ...]:
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
    """Draw the players' panels and the current hand. Nothing shows how much money a player has."""
    offers: tuple[Offer, ...] = table_offers(stage)
    auction = auction_of(stage)
    if not auction.revealed and not auction.keepers:
        _ = stage.words.gettext
        opens, main = reveal_characters(()), ButtonStyle.MAIN
        up = offer(stage, "turn-up", _("Enter characters"), opens, 2.2, look=main, icon="cards")
        offers = (up, *offers)
    return table_page(stage, auction_panel, add_rule(stage, _head(stage, auction)), offers)


def _head(stage: SceneContext, auction: Auction) -> Heading:
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
        text, brief = _("At random, one for each player who doesn't have one."), _("At random.")
        short = _("Characters")
        return Heading(title.format(count=count), text, "cards", brief=brief, brief_title=short)
    word = speaker(auction)
    name = "" if word is None else stage.seat(word).name
    if auction.hand is not None:
        hand = auction.hand
        title = f"{hand.character.value} · {stage.words.money(hand.bid)}"
        text = _("{leader} leads. {name}: raise or pass?")
        text = text.format(leader=stage.seat(hand.leader).name, name=name)
        return Heading(title, f"{_ability(stage, hand)} {text}", "hammer", brief=text)
    if auction.taker is not None:
        title, text = _("{name} takes a character"), _("If you can't bid, take one of those left.")
    else:
        title, text = _("{name} puts a character up for auction"), _last_sale(stage, auction)
    brief = _("Choose one of {count}.").format(count=len(auction.free))
    return Heading(title.format(name=name), text, "hammer", brief=brief)


def _last_sale(stage: SceneContext, auction: Auction) -> str:
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
