"""The auction's pages for one player: to reveal, put up or take a character, and to bid."""

from collections.abc import Callable
from functools import partial

from core.characters import Character
from core.game.play.auction import RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.state.auction import Auction, Hand
from core.game.state.game import Phase
from core.terms import SHERIFF_SEAT, Dollars, SeatNo
from kiosk.scenes import pages
from kiosk.scenes.characters import character_grid
from kiosk.scenes.scene import OnTouch, Reply, Scene, SceneContext, command_reply
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import offer, page, page_head, page_room
from kiosk.scenes.widgets.rows import Offer, place_offers, rows_of
from kiosk.ui.blocks import Block, Button, ButtonStyle
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
    if not stage.is_in(Phase.AUCTION):
        return False
    auction = auction_of(stage)
    return not auction.revealed and not auction.keepers and len(up) <= _count_without_character(stage)


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
    grid, head = page_head(stage, words, done)
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
    grid, head = page_head(stage, words)

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
    auction = auction_of(stage) if stage.is_in(Phase.AUCTION) else None
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
    rest, head = page_head(stage, words)
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
    if not stage.is_in(Phase.AUCTION):
        return False
    auction = auction_of(stage)
    return auction.hand is not None and speaker(auction) == seat and bid > auction.hand.bid


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
    return Dialog(stage, Heading(title, text, "hammer"), offers)


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
