"""A player's panel at an auction: the character bought, the last bid, or buttons to bid."""

from functools import partial

from core.game.auction.bidding import Pass, Raise
from core.game.auction.opening import KeepCharacter, LeaveCharacter
from core.game.state.auction import Auction, Hand
from core.game.state.game import Seat
from core.terms import Dollars, SeatNo
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.setup.seating import status_parts
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, with_menu
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.ring import GAP_MM
from kiosk.view import theme

_LEAST_MM = 12.0
_RAISE_MM = 16.0
_NARROW_MM = 26.0


def auction_of(stage: SceneContext) -> Auction:
    """Return the auction. Call it only from scenes of an auction."""
    assert stage.game.auction is not None
    return stage.game.auction


def speaker(auction: Auction) -> SeatNo | None:
    """Return the seat that has to raise, pass, offer or take a character, or None."""
    if auction.hand is not None:
        return auction.hand.word
    return auction.nominator or auction.taker


def least_raise(stage: SceneContext, hand: Hand) -> Dollars:
    """Return the lowest valid bid above the current one."""
    step = stage.edition.auction.step if stage.edition.auction is not None else 1
    return Dollars((hand.bid // step + 1) * step)


def auction_panel(stage: SceneContext, seat: Seat) -> Block:
    """Draw a seat's panel."""
    stage = stage.in_language_of(seat.seat)
    auction = auction_of(stage)
    asked = seat.seat in auction.keepers
    on = asked or speaker(auction) == seat.seat
    parts, body = card(stage, seat, SeatCardState.ON if on else SeatCardState.PLAIN)
    if asked:
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
    opens = OnTouch(partial(_open_raise, number, bid))
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
        opens = OnTouch(partial(_open_take, seat.seat))
    else:
        name, label = "nominate", _("Put one up")
        said = _("{name} puts a character up for auction").format(name=seat.name)
        rule = stage.edition.auction
        opens = OnTouch(partial(_open_nominate, seat.seat, Dollars(0) if rule is None else rule.minimum))
    target, size = f"seat-{seat.seat}-{name}", stage.mm(5)
    return Button(room, target, label, ButtonStyle.MAIN, size_px=size, said=said, action=opens)


def _open_raise(seat: SeatNo, bid: Dollars) -> Reply:
    from kiosk.scenes.auction.bidding import RaiseScene

    return Reply(opens=RaiseScene(seat, bid))


def _open_nominate(seat: SeatNo, bid: Dollars) -> Reply:
    from kiosk.scenes.auction.bidding import NominateScene

    return Reply(opens=NominateScene(seat, bid))


def _open_take(seat: SeatNo) -> Reply:
    from kiosk.scenes.auction.bidding import TakeCharacterScene

    return Reply(opens=TakeCharacterScene(seat))


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


def two_lines(stage: SceneContext, room: Rect, upper: str, lower: str) -> tuple[Part, ...]:
    """Draw a bold line above a faint one; either may be empty."""
    mm = stage.mm
    room = room.inset(mm(1), 0).centre(room.w, mm(13))
    if not (upper and lower):
        size = mm(5) if upper else mm(4.2)
        ink, face = (theme.INK, Typeface.BOLD) if upper else (theme.INK_SOFT, Typeface.TEXT)
        return (Label(room, upper or lower, size, ink, face, Align.LEFT),)
    high, low = room.rows([1.3, 1], 0)
    name: Part = Label(high, upper, mm(5.4), theme.INK, Typeface.BOLD, Align.LEFT)
    if room.w < mm(_NARROW_MM):
        high, low = room.rows([2.2, 1], 0)
        name = Paragraph(high, upper, mm(4.6), theme.INK, Typeface.BOLD)
    return (
        name,
        Label(low, lower, mm(4.2), theme.INK_SOFT, align=Align.LEFT),
    )
