"""A turn in which somebody went out: who draws, and who discards."""

from collections.abc import Iterator

from core.editions.edition import Edition
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.state.seats import role_counts
from core.terms import Role
from tests.scenarios.moments import EDITION, Moment, Table


def reward_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield an Outlaw eliminated by a player, a Deputy by the Sheriff, and High Noon near."""
    yield Moment("reward", "play", Table(seats, rules).begun().kill(2, 4, Role.OUTLAW).view())
    if role_counts(seats, rules).deputy:
        yield Moment("penalty", "play", Table(seats, rules).begun().kill(2, 1, Role.DEPUTY).view())
    reshuffles = reshuffles_to_high_noon(seats, rules)
    if reshuffles is not None:
        near = Table(seats, rules).begun().do(EndTurn(), *(Reshuffle() for _ in range(reshuffles)))
        yield Moment("noon-near", "play", near.view())
