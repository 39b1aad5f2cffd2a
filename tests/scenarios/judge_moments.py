"""A table where the judge is at work: every page behind the judge's menu."""

from collections.abc import Iterator

import msgspec

from core.editions.edition import Edition
from core.game.ending.judge_calls import WarnPlayer
from core.game.state.offences import Offence
from core.game.state.seats import role_counts
from core.terms import Role, SeatNo
from kiosk.view.table_view import Delivery, TableView
from sync.terminal.agent_contract import LinkPhase
from tests.scenarios.ending_moments import ending_moments
from tests.scenarios.moments import EDITION, Moment, Table

_MENU = ("menu", "judge-menu")
_COUNT = (*_MENU, "correct", "correct-reshuffles")


def judge_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield the pages of the judge's menu, and the scenes of a proposed ending, for ``seats`` seats."""
    play = msgspec.structs.replace(Table(seats, rules).running().view(), judge_present=True)
    yield Moment("judge", "judge", play, _MENU)
    nothing = TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=1000)
    alone = msgspec.structs.replace(nothing, judge_present=True)
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
    again = msgspec.structs.replace(warned.view(), judge_present=True)
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
        here = msgspec.structs.replace(two.view(), judge_present=True)
        yield Moment("judge-corrects-order", "correct-order", here, order)
    yield from _terminal(play)
    yield from ending_moments(seats, rules)
    done = msgspec.structs.replace(play, done="Francesca Maria was ejected.")
    yield Moment("judge-has-done", "play", done)


def _terminal(play: TableView) -> Iterator[Moment]:
    owing = msgspec.structs.replace(play, delivery=Delivery(41, 41, 29, LinkPhase.SEARCHING))
    yield Moment("judge-swaps", "swap", owing, (*_MENU, "swap"))
    yield Moment("judge-resends", "resend", owing, (*_MENU, "resend"))
    yield Moment("judge-resent", "resend", owing, (*_MENU, "resend", "send-again"))
    yield Moment("judge-light", "light", play, (*_MENU, "light"))
