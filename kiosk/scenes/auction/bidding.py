"""Auction pages turned towards a player: reveal, offer or take a character, and choose a bid."""

from collections.abc import Callable
from typing import ClassVar

import msgspec

from core.characters import Character
from core.game.play.auction import RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.state.auction import Auction, Hand
from core.game.state.game import Phase
from core.terms import SHERIFF_SEAT, Dollars, SeatNo
from kiosk.scenes.pages import PlayerMenu
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.setup.character_choice import character_grid
from kiosk.scenes.widgets.dialogs import draw_dialog
from kiosk.scenes.widgets.page_parts import (
    Heading,
    Offer,
    back_offer,
    offer,
    page,
    page_head,
    page_room,
    place_offers,
    rows_of,
)
from kiosk.ui.blocks import Block, Button, ButtonStyle, Part
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM


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


class RevealCharactersScene(msgspec.Struct, frozen=True):
    """The Sheriff's page to enter the revealed characters. ``up`` are those touched so far, in order."""

    up: tuple[Character, ...]

    name: ClassVar[str] = "turn-up"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the deck without kept characters, turned towards the Sheriff."""
        stage = stage.in_language_of(SHERIFF_SEAT)
        _, mm = stage.words.gettext, stage.mm
        wanted = _count_without_character(stage)
        enter = command_reply(RevealCharacters(self.up), closes=True)
        done = Button(
            Rect(0, 0, 0, 0), "turned-up", _("Confirm"), ButtonStyle.MAIN, "check", size_px=mm(4.6),
            enabled=len(self.up) == wanted, action=OnTouch(enter),
        )  # fmt: skip
        words = _("{count} of {wanted} characters").format(count=len(self.up), wanted=wanted)
        kept = {seat.character for seat in stage.game.seats}
        deck = tuple(character for character in stage.edition.characters.deck if character not in kept)
        grid, head = page_head(stage, words, done)
        full = len(self.up) == wanted
        cards = character_grid(stage, None, grid, deck, self._turn, chosen=self.up, full=full)
        return page(stage, (*head, *cards), "turn-up")

    def _turn(self, character: Character) -> Reply:
        """Return the reply that adds or removes a character."""
        others = tuple(other for other in self.up if other is not character)
        up = others if character in self.up else (*self.up, character)
        return Reply(becomes=RevealCharactersScene(up))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the auction still waits for revealed characters."""
        if not stage.is_in(Phase.AUCTION):
            return False
        auction = auction_of(stage)
        return (
            not auction.revealed and not auction.keepers and len(self.up) <= _count_without_character(stage)
        )


class TakeCharacterScene(msgspec.Struct, frozen=True):
    """The page on which a player who couldn't bid takes a leftover character."""

    seat: SeatNo

    name: ClassVar[str] = "take"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the leftover characters, turned towards the player."""
        stage = stage.in_language_of(self.seat)
        words = stage.words.gettext("{name} takes a character").format(name=stage.seat(self.seat).name)
        grid, head = page_head(stage, words)
        cards = character_grid(stage, self.seat, grid, auction_of(stage).free, self._take)
        return page(stage, (*head, *cards), "take")

    def _take(self, character: Character) -> Reply:
        return command_reply(TakeCharacter(self.seat, character), closes=True)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is this player's turn to take a character."""
        return stage.is_in(Phase.AUCTION) and auction_of(stage).taker == self.seat


def _count_without_character(stage: SceneContext) -> int:
    return sum(seat.character is None for seat in stage.game.seats)


_MANY_STEPS = (1, 5, 10)


class NominateScene(msgspec.Struct, frozen=True):
    """The page on which a player offers a character for auction.

    bid: the amount chosen so far.
    character: the last one touched, or None.
    """

    seat: SeatNo
    bid: Dollars
    character: Character | None = None

    name: ClassVar[str] = "nominate"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the available characters above the bid."""
        stage = stage.in_language_of(self.seat)
        room = page_room(stage)
        gap, mm, _ = stage.mm(GAP_MM), stage.mm, stage.words.gettext
        rule = stage.edition.auction
        words = _("{name} puts a character up for auction").format(name=stage.seat(self.seat).name)
        rest, head = page_head(stage, words)
        put_up = offer(
            stage, "offer", stage.words.money(self.bid), self._nominate, 2.6, size_mm=5,
            look=ButtonStyle.MAIN, icon="hammer", small=_("put up"), enabled=self.character is not None,
        )  # fmt: skip
        least = Dollars(0) if rule is None else rule.minimum
        rows = rows_of(stage, room.w, (*bid_steps(stage, self.bid, least, self._with_bid), put_up))
        bids, grid = rest.split_bottom(len(rows) * (mm(14) + gap) - gap, gap)
        free = auction_of(stage).free
        parts: tuple[Part, ...] = (
            *head,
            *character_grid(stage, self.seat, grid, free, self._with_character, chosen=(self.character,)),
            *place_offers(stage, bids, rows),
        )
        return page(stage, parts, "nominate")

    def _nominate(self) -> Reply:
        assert self.character is not None  # the button is enabled only with a character
        return command_reply(Nominate(self.seat, self.character, self.bid), closes=True)

    def _with_bid(self, bid: Dollars) -> Reply:
        return Reply(becomes=msgspec.structs.replace(self, bid=bid))

    def _with_character(self, character: Character) -> Reply:
        return Reply(becomes=msgspec.structs.replace(self, character=character))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is this player's turn to offer a character."""
        auction = auction_of(stage) if stage.is_in(Phase.AUCTION) else None
        return auction is not None and auction.hand is None and auction.nominator == self.seat


class RaiseScene(msgspec.Struct, frozen=True):
    """The page on which a player raises the bid. ``bid`` is the amount chosen so far."""

    seat: SeatNo
    bid: Dollars

    name: ClassVar[str] = "raise"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the hand above the bid."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        hand = auction_of(stage).hand
        if hand is None:
            return draw_dialog(stage, Heading(""), (back_offer(stage),))
        seat = stage.seat(self.seat)
        higher, passed = (
            command_reply(command, closes=True) for command in (Raise(self.seat, self.bid), Pass(self.seat))
        )
        menu, said = Reply(becomes=PlayerMenu(self.seat)), _("{name}'s menu").format(name=seat.name)
        offers = (
            *bid_steps(stage, self.bid, least_raise(stage, hand), self._with_bid),
            offer(
                stage, "offer", stage.words.money(self.bid), higher, 2.6, size_mm=5, look=ButtonStyle.MAIN,
                icon="hammer", small=_("raise"),
            ),
            back_offer(stage, 1.3),
            offer(stage, "pass", _("Pass"), passed, 1.4),
            offer(stage, f"seat-{self.seat}-menu", "", menu, 1.2, size_mm=0, icon="menu", said=said),
        )  # fmt: skip
        title = f"{hand.character.value} · {stage.words.money(hand.bid)}"
        text = _("{leader} leads. {name}: raise or pass?")
        text = text.format(leader=stage.seat(hand.leader).name, name=seat.name)
        return draw_dialog(stage, Heading(title, text, "hammer"), offers)

    def _with_bid(self, bid: Dollars) -> Reply:
        return Reply(becomes=RaiseScene(self.seat, bid))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is this player's turn and the bid is above the current one."""
        if not stage.is_in(Phase.AUCTION):
            return False
        auction = auction_of(stage)
        return auction.hand is not None and speaker(auction) == self.seat and self.bid > auction.hand.bid


def bid_steps(
    stage: SceneContext, bid: Dollars, least: Dollars, reply: Callable[[Dollars], Reply]
) -> tuple[Offer, ...]:
    """Return the buttons that lower or raise a bid. A player's money never disables them.

    ``reply`` returns the reply for another bid.
    """
    _, step = stage.words.gettext, _step(stage)
    less, said = reply(Dollars(bid - step)), _("${step} less").format(step=step)
    more = (
        offer(
            stage, f"bid-more-{steps}", stage.words.number(f"+{steps:,}"), reply(Dollars(bid + steps)), 1.15,
            said=_("${step} more").format(step=steps), may_repeat=True,
        )
        for steps in (times * step for times in _MANY_STEPS)
    )  # fmt: skip
    return (
        offer(
            stage,
            "bid-less",
            stage.words.number(f"−{step:,}"),
            less,
            enabled=bid - step >= least,
            said=said,
            may_repeat=True,
        ),
        *more,
    )


def _step(stage: SceneContext) -> int:
    return 1 if stage.edition.auction is None else stage.edition.auction.step
