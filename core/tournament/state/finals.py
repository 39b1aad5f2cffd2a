"""The finals: duels of the top four, and how they decide the first four places.

Source: Championship 2010 v1.1, 1.2.
"""

import msgspec

from base.errors import BadData
from base.immutable import GrowingTuple
from core.game.result import FinishedDuel
from core.terms import DuelPart, MatchKind, PlayerId, RoundNo
from core.tournament.state.rounds import AcceptedSheet, DrawnTable

Pair = tuple[PlayerId, PlayerId]
"""Opponents of a duel, the better placed player of the rounds first."""


class Duels(msgspec.Struct, frozen=True):
    """The duels of one part of the finals, or of a tie, once started, with the sheets accepted so far."""

    part: DuelPart
    round: RoundNo
    attempt: int
    kind: MatchKind
    tables: tuple[DrawnTable, ...]
    sheets: GrowingTuple[AcceptedSheet[FinishedDuel]] = GrowingTuple()
    called_off: bool = False


class Finals(msgspec.Struct, frozen=True):
    """The finals so far.

    finalists: the top four of the rounds, best first; they are never replaced.
    left: players who left since the ranking of the rounds was published, in order.
    """

    finalists: tuple[PlayerId, ...]
    semifinals: Duels | None = None
    final: Duels | None = None
    left: tuple[PlayerId, ...] = ()

    @property
    def begun(self) -> tuple[Duels, ...]:
        return tuple(duels for duels in (self.semifinals, self.final) if duels is not None)

    @property
    def semifinal_pairs(self) -> tuple[Pair, Pair]:
        """The first against the fourth, and the second against the third."""
        first, second, third, fourth = self.finalists
        return (first, fourth), (second, third)

    @property
    def semifinal_winners(self) -> tuple[PlayerId | None, PlayerId | None]:
        """The winners of the first and the second semifinal, or None for an open one."""
        first, second = self.semifinal_pairs
        return self._winner(first, self.semifinals), self._winner(second, self.semifinals)

    @property
    def final_pair(self) -> Pair | None:
        """The players of the final, or None while a semifinal is open."""
        first, second = self.semifinal_winners
        if first is None or second is None:
            return None
        one, other = sorted((first, second), key=self.finalists.index)
        return one, other

    @property
    def champion(self) -> PlayerId | None:
        pair = self.final_pair
        return None if pair is None else self._winner(pair, self.final)

    @property
    def places(self) -> tuple[PlayerId, ...] | None:
        """The finalists by place, or None while the final is open.

        The last two share theirs, the better placed of the rounds first.
        Source: Championship 2010 v1.1, 1.2; reading D23.
        """
        pair, champion = self.final_pair, self.champion
        if pair is None or champion is None:
            return None
        beaten = pair[1] if champion == pair[0] else pair[0]
        return (champion, beaten, *(player for player in self.finalists if player not in pair))

    @property
    def open_duels(self) -> tuple[tuple[Duels, DrawnTable], ...]:
        """The duels that have started and have no winner yet, with their tables."""
        return tuple(
            (duels, table)
            for duels in self.begun
            for table in duels.tables
            if self._winner(table.players, duels) is None
        )

    def _winner(self, pair: tuple[PlayerId, ...], duels: Duels | None) -> PlayerId | None:
        # Source: Championship 2010 v1.1, 1.3; reading D24.
        for sheet in () if duels is None else duels.sheets:
            if sheet.result.players == pair:
                return sheet.result.winning_player
        gone = next((player for player in self.left if player in pair), None)
        if gone is None:
            return None
        return pair[1] if gone == pair[0] else pair[0]


def require_begun(finals: Finals | None, decision: str) -> Finals:
    """Return the finals. Raises BadData, naming a decision, while there are no finalists."""
    if finals is None:
        raise BadData("tournament log", f"{decision} comes before the finalists are named")
    return finals
