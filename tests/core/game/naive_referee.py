"""A second referee: the rules of ending read aloud, card by card, with no thought of speed.

It shares no code with the core, so that both can be wrong only together.
"""

from collections.abc import Iterator, Sequence

Fall = tuple[int, int | None]
"""A fallen seat, and the seat whose turn and card it was; None if that wasn't the Rebel!'s."""

DEALS = {
    4: ("sheriff", "outlaw", "renegade", "outlaw"),
    5: ("sheriff", "outlaw", "deputy", "outlaw", "renegade"),
    6: ("sheriff", "outlaw", "deputy", "outlaw", "renegade", "outlaw"),
    7: ("sheriff", "outlaw", "deputy", "outlaw", "renegade", "outlaw", "deputy"),
    8: ("sheriff", "outlaw", "deputy", "outlaw", "renegade", "outlaw", "deputy", "renegade"),
}
REBEL_DEALS = {
    4: ("sheriff", "outlaw", "renegade", "rebel"),
    6: ("sheriff", "outlaw", "deputy", "outlaw", "renegade", "rebel"),
    8: ("sheriff", "outlaw", "deputy", "outlaw", "renegade", "outlaw", "deputy", "rebel"),
    9: ("sheriff", "outlaw", "deputy", "outlaw", "renegade", "outlaw", "deputy", "rebel", "renegade"),
    10: (
        *("sheriff", "outlaw", "deputy", "outlaw", "renegade"),
        *("outlaw", "deputy", "rebel", "renegade", "outlaw"),
    ),
}


class Referee:
    """Watches one game. alive: seats; deals: the roles by seat, seat 1 first."""

    def __init__(self, deal: Sequence[str]) -> None:
        self.deal = deal
        self.alive = list(range(1, len(deal) + 1))
        self.star = deal.index("sheriff") + 1
        self.revolution: int | None = None
        self.lost_before: list[int] = []
        self.ending: str | None = None
        self.final_duel: list[int] = []

    def watch(self, falls: Sequence[int], hand: int | None) -> None:
        """These seats fall together; hand: the player whose own turn and card it was, None for others."""
        duel = sorted(self.alive)
        for seat in falls:
            self.alive.remove(seat)
        rebels = [seat for seat in self.alive if self.deal[seat - 1] == "rebel"]
        if self.star not in self.alive:
            if self.revolution is None and hand in rebels:
                assert hand is not None
                self.revolution = self.star = hand
                self.lost_before = [
                    seat
                    for seat in range(1, len(self.deal) + 1)
                    if seat not in self.alive and self.deal[seat - 1] in {"deputy", "sheriff"}
                ]
            elif [self.deal[seat - 1] for seat in self.alive] == ["renegade"]:
                self.ending = "renegade_wins"
                return
            else:
                self.ending = "outlaws_win"
                return
        enemies = [seat for seat in self.alive if self.deal[seat - 1] in {"outlaw", "renegade"}]
        if not enemies:
            self.ending = "law_wins"
            self.final_duel = [
                seat
                for seat in falls
                if self.deal[seat - 1] == "renegade" and duel == sorted((seat, self.star))
            ]

    def winners(self) -> list[int]:
        """The seats that have won, the dead among them too."""
        winning = []
        for seat, role in enumerate(self.deal, start=1):
            if self.ending == "law_wins":
                deputy = role == "deputy" and seat not in self.lost_before
                if seat == self.star or deputy:
                    winning.append(seat)
            elif self.ending == "outlaws_win":
                winning += [seat] if role == "outlaw" else []
            elif self.ending == "renegade_wins" and seat in self.alive:
                winning.append(seat)
        return winning


def every_order(deal: Sequence[str], *, equals: bool = False) -> Iterator[tuple[Fall, ...]]:
    """Every way a deal can be played out one by one to its end.

    Only the Rebel!'s hand differs from any other, and only for the Sheriff; hand None is all others.
    equals: players of one role fall in the order of their seats, as any other order is the same game.
    """
    yield from _continued(deal, (), equals=equals)


def _continued(deal: Sequence[str], so_far: tuple[Fall, ...], *, equals: bool) -> Iterator[tuple[Fall, ...]]:
    referee = Referee(deal)
    for seat, hand in so_far:
        referee.watch([seat], hand)
    if referee.ending is not None:
        yield so_far
        return
    rebels = [seat for seat in referee.alive if deal[seat - 1] == "rebel"]
    tried: set[str] = set()
    for seat in referee.alive:
        if equals and deal[seat - 1] in tried:
            continue
        tried.add(deal[seat - 1])
        yield from _continued(deal, (*so_far, (seat, None)), equals=equals)
        if seat == referee.star and rebels and referee.revolution is None and seat not in rebels:
            yield from _continued(deal, (*so_far, (seat, rebels[0])), equals=equals)
