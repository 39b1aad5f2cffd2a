"""A table and its round's clock, the mark of a rehearsal, rewards of a turn, and every card of the rules."""

from collections.abc import Iterator

from msgspec.structs import replace

from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.state.seats import role_counts
from core.terms import MatchKind, Role
from kiosk.rules.applicable_rules import rules_at
from kiosk.view.table_view import RoundTime, TableView, TurnTime
from tests.scenarios.duel_moments import DuelTable
from tests.scenarios.moments import EDITION, Moment, Table, moments

_LIMIT_S = 90 * 60


def clock_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Warned, over, stopped, unsure; and the clock in the judge's hands."""
    play = Table(seats, rules).running().view()

    def at(picture: str, time: RoundTime) -> Moment:
        return Moment(picture, "play", replace(play, round_time=time))

    yield at("clock-waits", RoundTime(_LIMIT_S, _LIMIT_S, is_started=False))
    yield at("clock-warns", RoundTime(5 * 60, _LIMIT_S, warns_min=5))
    yield at("clock-last-minute", RoundTime(42, _LIMIT_S))
    yield at("clock-over", RoundTime(-70, _LIMIT_S))
    yield at("clock-stopped", RoundTime(34 * 60, _LIMIT_S, is_held_by_station=True))
    yield at("clock-rough", RoundTime(34 * 60, _LIMIT_S, is_rough=True))
    for picture, time in (("turn-bar", TurnTime(45, 90)), ("turn-bar-over", TurnTime(90, 90))):
        yield Moment(picture, "play", replace(play, turn_time=time))
    yield Moment("turn-timer", "turn-timer", play, ("menu", "turn-timer"))
    stopped = RoundTime(12 * 60, _LIMIT_S, is_held_here=True, extended_s=300)
    keyed = replace(play, round_time=stopped, judge_present=True)
    yield Moment("judge-clock", "clock", keyed, ("menu", "judge-menu", "clock"))
    runs = replace(keyed, round_time=RoundTime(34 * 60 + 12, _LIMIT_S))
    yield Moment("judge-clock-runs", "clock", runs, ("menu", "judge-menu", "clock"))


_MARKED = ("play", "waiting", "sheet", "confirmed")


def mark_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield some scenes as a rehearsal shows them."""
    for moment in moments(seats, rules):
        if moment.picture in _MARKED:
            view = replace(moment.view, is_rehearsal=True)
            yield replace(moment, picture=f"rehearsal-{moment.picture}", view=view)


def reward_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield an Outlaw eliminated by a player, a Deputy by the Sheriff, and High Noon near."""
    yield Moment("reward", "play", Table(seats, rules).begun().kill(2, 4, Role.OUTLAW).view())
    if role_counts(seats, rules).deputy:
        yield Moment("penalty", "play", Table(seats, rules).begun().kill(2, 1, Role.DEPUTY).view())
    reshuffles = reshuffles_to_high_noon(seats, rules)
    if reshuffles is not None:
        near = Table(seats, rules).begun().do(EndTurn(), *(Reshuffle() for _ in range(reshuffles)))
        yield Moment("noon-near", "play", near.view())


def rule_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield the cards of a table of ``seats`` seats, of an auction, and of the duels."""
    yield from _cards("rule", Table(seats, rules).begun().view(), rules)
    auction = edition("championship-2010")
    if seats in auction.sizes:
        yield from _cards("auction-rule", Table(seats, auction).dealt().view(), auction)
    for kind in (MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL):
        yield from _cards(kind.value, DuelTable(kind).view(), auction)


def _cards(prefix: str, view: TableView, rules: Edition) -> Iterator[Moment]:
    game = view.game
    for rule in () if game is None else rules_at(game, rules):
        yield Moment(f"{prefix}-{rule.value}", "rule", view, ("menu", "rules", f"rule-{rule.value}"))
