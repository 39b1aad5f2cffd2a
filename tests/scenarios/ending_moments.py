"""A table whose ending is proposed: some agree, somebody disputes, somebody has left."""

from collections.abc import Iterator

import msgspec

from core.editions.edition import Edition
from core.game.ending.sheet import AgreeEnding, DisputeEnding, WithdrawAgreement
from core.terms import SeatNo
from tests.scenarios.moments import EDITION, Moment, Table

_ONE, _TWO, _THREE = SeatNo(1), SeatNo(2), SeatNo(3)


def ending_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield the scenes between the ending and the roles, at a table of ``seats`` seats."""
    some = Table(seats, rules).ended().do(AgreeEnding(_ONE), AgreeEnding(_THREE))
    yield Moment("ending-some-agree", "ending", some.view())
    yield Moment("ending-why", "ending-reasons", some.view(), ("ending-why",))
    yield Moment("ending-dispute", "dispute", some.view(), ("seat-2-disputes",))
    disputed = some.do(DisputeEnding(_TWO))
    yield Moment("ending-disputed", "ending", disputed.view())
    keyed = msgspec.structs.replace(disputed.view(), judge_present=True)
    yield Moment("judge-goes-on", "goes-on", keyed, ("menu", "judge-menu", "goes-on"))
    last = Table(seats, rules).ended().agreed()
    last.do(WithdrawAgreement(_TWO))
    yield Moment("ending-one-missing", "ending", last.view())
