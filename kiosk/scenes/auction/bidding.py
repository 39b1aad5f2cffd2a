"""Longer words of an auction, turned to the player: a character with a first bid, or any higher bid."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import Nominate, Pass, Raise
from saloon.core.game.setup.characters import Character
from saloon.core.game.state import Phase
from saloon.core.terms import Dollars, SeatNo
from saloon.kiosk.scenes.auction.auction_panel import auction_of, dollars, least_raise, speaker
from saloon.kiosk.scenes.play.player_menu import PlayerMenuScene
from saloon.kiosk.scenes.scene import Reply, SceneContext, command_reply
from saloon.kiosk.scenes.setup.character_grid import character_grid
from saloon.kiosk.scenes.widgets.card import character_id
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import (
    NOWHERE,
    Heading,
    Offer,
    back_offer,
    common,
    page,
    placed_offers,
    rows_of,
)
from saloon.kiosk.ui.geometry import Rect, rotated_size
from saloon.kiosk.ui.parts import Align, Block, Button, ButtonStyle, Label, Part, Typeface
from saloon.kiosk.ui.ring import GAP_MM
from saloon.kiosk.view import theme

_MANY_STEPS = (1, 5, 10)


class NominateScene(msgspec.Struct, frozen=True):
    """A player puts a character up. bid: as entered so far. character: touched last, None before."""

    seat: SeatNo
    bid: Dollars
    character: Character | None = None

    name: ClassVar[str] = "nominate"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the free characters with the bid below them."""
        stage = stage.spoken_by(self.seat)
        rect, foot = page(stage)
        turns = stage.ring.places[self.seat - 1].quarter_turns
        room = Rect(0, 0, *rotated_size(rect, turns))
        gap, mm, _ = stage.mm(GAP_MM), stage.mm, stage.words.gettext
        rule = stage.edition.auction
        top, rest = room.top(mm(12), gap)
        back, title = top.left(mm(24), mm(3))
        offer = Button(
            NOWHERE, "offer", dollars(self.bid), ButtonStyle.MAIN, "hammer", _("put up"), size_px=mm(5),
            enabled=self.character is not None,
        )  # fmt: skip
        least = Dollars(0) if rule is None else rule.minimum
        rows = rows_of(stage, room.w, (*bid_steps(stage, self.bid, least), Offer(offer, 2.6)))
        bids, grid = rest.foot(len(rows) * (mm(14) + gap) - gap, gap)
        words = _("{name} puts a character up for auction").format(name=stage.seat(self.seat).name)
        parts: tuple[Part, ...] = (
            Button(back, "back", _("Back"), icon="back", size_px=mm(4)),
            Label(title, words, mm(7), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False),
            *character_grid(stage, self.seat, grid, auction_of(stage).free, chosen=(self.character,)),
            *placed_offers(stage, bids, rows),
        )
        return (Block("nominate", rect, parts, turns), foot)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Choose a character, change the bid, or offer the character."""
        if target == "offer" and self.character is not None:
            reply = command_reply(Nominate(self.seat, self.character, self.bid))
            return msgspec.structs.replace(reply, closes=True)
        stepped = after_step(target, self.bid, stage)
        if stepped is not None:
            return Reply(becomes=msgspec.structs.replace(self, bid=stepped))
        for character in auction_of(stage).free:
            if target == character_id(character):
                return Reply(becomes=msgspec.structs.replace(self, character=character))
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is this player's turn to offer a character."""
        if stage.table.game is None or stage.game.phase is not Phase.AUCTION:
            return False
        auction = auction_of(stage)
        return auction.hand is None and auction.nominator == self.seat


class RaiseScene(msgspec.Struct, frozen=True):
    """A player offers more. bid: as entered so far."""

    seat: SeatNo
    bid: Dollars

    name: ClassVar[str] = "raise"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the hand with the bid below it."""
        stage = stage.spoken_by(self.seat)
        _, mm = stage.words.gettext, stage.mm
        hand = auction_of(stage).hand
        if hand is None:
            return dialog(stage, Heading(""), (back_offer(stage),))
        seat = stage.seat(self.seat)
        turns = stage.ring.places[self.seat - 1].quarter_turns
        offer = Button(
            NOWHERE, "offer", dollars(self.bid), ButtonStyle.MAIN, "hammer", _("raise"), size_px=mm(5)
        )
        leave = Button(
            NOWHERE, f"seat-{self.seat}-menu", "", icon="menu",
            said=_("{name}'s menu").format(name=seat.name),
        )  # fmt: skip
        offers = (
            *bid_steps(stage, self.bid, least_raise(stage, hand)),
            Offer(offer, 2.6),
            back_offer(stage, 1.3),
            Offer(Button(NOWHERE, "pass", _("Pass"), size_px=mm(4.6)), 1.4),
            Offer(leave, 1.2),
        )
        title = f"{hand.character.value} · {dollars(hand.bid)}"
        text = _("{leader} leads. {name}: raise or pass?")
        text = text.format(leader=stage.seat(hand.leader).name, name=seat.name)
        return dialog(stage, Heading(title, text, "hammer"), offers, quarter_turns=turns)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Change the bid, offer it, or pass."""
        stepped = after_step(target, self.bid, stage)
        if stepped is not None:
            return Reply(becomes=RaiseScene(self.seat, stepped))
        match target:
            case "offer":
                return msgspec.structs.replace(command_reply(Raise(self.seat, self.bid)), closes=True)
            case "pass":
                return msgspec.structs.replace(command_reply(Pass(self.seat)), closes=True)
            case _ if target.endswith("-menu"):
                return Reply(becomes=PlayerMenuScene(self.seat))
            case _:
                return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether it is this player's turn, with a bid above the one to beat."""
        if stage.table.game is None or stage.game.phase is not Phase.AUCTION:
            return False
        auction = auction_of(stage)
        return auction.hand is not None and speaker(auction) == self.seat and self.bid > auction.hand.bid


def bid_steps(stage: SceneContext, bid: Dollars, least: Dollars) -> tuple[Offer, ...]:
    """Return the buttons that lower or raise a bid; never disabled by a player's money."""
    _, step = stage.words.gettext, _step(stage)
    less = Button(
        NOWHERE, "bid-less", f"−{step:,}", size_px=stage.mm(4.6), enabled=bid - step >= least,
        said=_("${step} less").format(step=step),
    )  # fmt: skip
    more = (
        Button(
            NOWHERE, f"bid-more-{times * step}", f"+{times * step:,}", size_px=stage.mm(4.6),
            said=_("${step} more").format(step=times * step),
        )
        for times in _MANY_STEPS
    )  # fmt: skip
    return (Offer(less), *(Offer(button, 1.15) for button in more))


def after_step(target: str, bid: Dollars, stage: SceneContext) -> Dollars | None:
    """Return the bid after one of its buttons; None for other targets."""
    if target == "bid-less":
        return Dollars(bid - _step(stage))
    if target.startswith("bid-more-"):
        return Dollars(bid + int(target.removeprefix("bid-more-")))
    return None


def _step(stage: SceneContext) -> int:
    return 1 if stage.edition.auction is None else stage.edition.auction.step
