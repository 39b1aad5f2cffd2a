"""The auction of characters: players' bids and purchases around the edge, the current hand in the middle."""

from typing import Final

from core.game.state.auction import Auction
from kiosk.scenes.auction.auction_panel import auction_panel
from kiosk.scenes.auction.bidding import RevealCharactersScene, auction_of, speaker
from kiosk.scenes.heads.guide import add_rule
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext
from kiosk.scenes.widgets.page_parts import Heading, Offer, offer, table_offers, table_page
from kiosk.ui.blocks import Block, ButtonStyle


class AuctionScene(PersistentScene):
    """The auction of characters: sales so far, and the player who has to bid next."""

    name: Final = "auction"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the players' panels and the current hand, but never a player's money."""
        offers: tuple[Offer, ...] = table_offers(stage)
        auction = auction_of(stage)
        if not auction.revealed and not auction.keepers:
            _ = stage.words.gettext
            opens, main = Reply(opens=RevealCharactersScene(())), ButtonStyle.MAIN
            up = offer(stage, "turn-up", _("Enter them"), opens, 2.2, size_mm=5, look=main, icon="cards")
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
    brief = _("One of {count}.").format(count=len(auction.free))
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
