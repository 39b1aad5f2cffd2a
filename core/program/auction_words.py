"""An auction of characters in words."""

from collections.abc import Iterator

from saloon.core.editions.auction_rule import AuctionRule, BidOrder, FirstNominator, NextNominator


def money(dollars: int) -> str:
    """Dollars for people."""
    return f"-${-dollars:,}" if dollars < 0 else f"${dollars:,}"


def auction_lines(rule: AuctionRule) -> Iterator[str]:
    """How an auction is held, a sentence or two each."""
    order = "clockwise" if rule.order is BidOrder.CLOCKWISE else "counterclockwise"
    yield "As many characters as players are turned up and auctioned, with each player's own money."
    yield (
        f"{_first(rule.first_nominator)} puts the first one up with a bid of at least "
        f"{money(rule.minimum)}; bids are multiples of {money(rule.step)}, rise {order}, and nobody bids "
        "more than is there. Who passes is out of it."
    )
    yield (
        f"The next one is put up by the next player, {order} from {_after(rule.next_nominator)}, "
        f"who owns none. The last one costs {money(rule.last_pays)}."
    )


def _first(nominator: FirstNominator) -> str:
    match nominator:
        case FirstNominator.SHERIFF:
            return "The Sheriff"
        case FirstNominator.RIGHT_OF_SHERIFF:
            return "The player to the right of the Sheriff"


def _after(nominator: NextNominator) -> str:
    match nominator:
        case NextNominator.FROM_WINNER:
            return "the winner"
        case NextNominator.FROM_NOMINATOR:
            return "the one who put the last one up"
