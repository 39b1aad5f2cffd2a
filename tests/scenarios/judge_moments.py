"""A table where the judge is at work: every page behind the judge's menu."""

from collections.abc import Iterator

from msgspec.structs import replace

from core.editions.edition import Edition
from core.game.ending.judge_calls import WarnPlayer
from core.game.ending.sheet import AgreeEnding, DisputeEnding, WithdrawAgreement
from core.game.state.offences import Offence
from core.game.state.seats import role_counts
from core.terms import Role, SeatNo
from kiosk.view.table_view import Delivery, TableView
from sync.terminal.agent_contract import LinkPhase
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
    keyed = replace(disputed.view(), judge_present=True)
    yield Moment("judge-goes-on", "goes-on", keyed, ("menu", "judge-menu", "goes-on"))
    last = Table(seats, rules).ended().agreed()
    last.do(WithdrawAgreement(_TWO))
    yield Moment("ending-one-missing", "ending", last.view())


_MENU = ("menu", "judge-menu")
_COUNT = (*_MENU, "correct", "correct-reshuffles")


def judge_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield the pages of the judge's menu, and the scenes of a proposed ending, for ``seats`` seats."""
    play = replace(Table(seats, rules).running().view(), judge_present=True)
    yield Moment("judge", "judge", play, _MENU)
    nothing = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=1000)
    alone = replace(nothing, judge_present=True)
    yield Moment("judge-without-a-game", "judge", alone, ("judge-menu",))
    yield Moment("time-limit", "time-limit", play, (*_MENU, "end-by-time-limit"))
    yield Moment("judge-leaves", "player-leaves", play, (*_MENU, "player-leaves"))
    away = (*_MENU, "player-leaves", "leaves-seat-3")
    yield Moment("judge-sends-away", "send-away", play, away)
    warns = (*_MENU, "warn", "warn-seat-3")
    yield Moment("judge-warns", "warn", play, warns[:-1])
    yield Moment("judge-says-what-for", "offence", play, warns)
    yield Moment("judge-says-why-warned", "reason", play, (*warns, "offence-seen-hand", "reason-1"))
    warned = Table(seats, rules).running()
    warned.do(WarnPlayer(SeatNo(3), Offence.SLOW_PLAY, "slow"))
    again = replace(warned.view(), judge_present=True)
    yield Moment("judge-warns-again", "reason", again, (*warns, "offence-false-information", "reason-2"))
    yield Moment("judge-changes-mode", "record-mode", play, (*_MENU, "record-mode"))
    yield Moment("judge-voids", "reason", play, (*_MENU, "void-game"))
    yield Moment("judge-restarts", "reason", play, (*_MENU, "restart-game", "reason-2"))
    typed = ("reason-typed", *(f"key-{key}" for key in ("a", "c", "e", "space", "m", "i", "s")))
    yield Moment("judge-types-a-reason", "reason-typed", play, (*_MENU, "restart-game", *typed))
    yield Moment("judge-corrects", "correct", play, (*_MENU, "correct"))
    yield Moment("judge-sets-life", "correct-life", play, (*_MENU, "correct", "correct-seat-1", "life-less"))
    out = (*_MENU, "correct", "correct-seat-2")
    yield Moment("judge-sets-elimination", "correct-elimination", play, (*out, "by-seat-1"))
    yield Moment("judge-says-why", "reason", play, (*out, "by-seat-1", "to-reason", "reason-1"))
    yield Moment("judge-corrects-reshuffles", "correct-reshuffles", play, (*_COUNT, "reshuffles-less"))
    yield Moment("judge-says-why-reshuffles", "reason", play, (*_COUNT, "reshuffles-less", "to-reason"))
    yield Moment("judge-corrects-turn", "correct-turn", play, (*_MENU, "correct", "correct-turn"))
    if role_counts(seats, rules).rebel:
        yield Moment("event-card", "event-card", play, (*_MENU, "event-card"))
    if rules.high_noon is not None:
        noon = (*_MENU, "correct", "correct-turn", "noon-on", "to-reason")
        yield Moment("judge-says-why-turn", "reason", play, noon)
    yield Moment("judge-restores", "reason", play, (*out, "never-happened"))
    two = Table(seats, rules).running()
    two.kill(3, two.state.turn or 1, Role.DEPUTY if role_counts(seats, rules).deputy else Role.RENEGADE)
    if len(two.state.eliminations) > 1:
        order = (*_MENU, "correct", "correct-order", "earlier-3")
        here = replace(two.view(), judge_present=True)
        yield Moment("judge-corrects-order", "correct-order", here, order)
    yield from _terminal(play)
    yield from ending_moments(seats, rules)
    done = replace(play, done="Francesca Maria was ejected.")
    yield Moment("judge-has-done", "play", done)


def _terminal(play: TableView) -> Iterator[Moment]:
    owing = replace(play, delivery=Delivery(41, 41, 29, LinkPhase.SEARCHING))
    yield Moment("judge-swaps", "swap", owing, (*_MENU, "swap"))
    yield Moment("judge-resends", "resend", owing, (*_MENU, "resend"))
    yield Moment("judge-resent", "resend", owing, (*_MENU, "resend", "send-again"))
    yield Moment("judge-light", "light", play, (*_MENU, "light"))
