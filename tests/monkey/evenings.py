"""The material of a monkey's evenings: groups of editions, and orders of a station."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from core.editions.readings import TimeLimit
from core.game.orders import (
    AnswerCall,
    AssignTable,
    CallTime,
    CheckInSeat,
    CloseTournament,
    ConfirmFromStation,
    EndCall,
    IdentifyTerminal,
    LockGlass,
    OfferSignIn,
    Order,
    PlaceInQueue,
    RelieveTable,
    RestartTerminal,
    SeatGame,
    SetClock,
    ShowMessage,
    VoidTable,
    WithdrawMessage,
    WithdrawSeat,
)
from core.game.state.game import GameState, Stake
from core.rule_set import OptionKey, RuleSet
from core.terms import Dollars, MatchKind, MessageId, SeatNo, Seconds
from tests.kiosk.rig.games import TABLE, seat_game
from tests.kiosk.rig.virtual_table import CHEAP_PIN

Draw = Callable[[random.Random, str], SeatGame]

_HOUSE = (OptionKey.CASH_REWARDS, OptionKey.EXPERIENCE, OptionKey.ENLISTMENT, OptionKey.RUTHLESS_LAW)
_REBEL_SIZES = (4, 6, 8, 9, 10)


def _championship(chance: random.Random, game: str) -> SeatGame:
    players, limit = chance.choice((5, 6, 7)), chance.choice((None, 90))
    return seat_game(game, players=players, time_limit_min=limit)


def _italian(chance: random.Random, game: str) -> SeatGame:
    players = chance.choice((5, 6, 7))
    stakes = tuple(Stake(Dollars(chance.randrange(0, 6000, 100))) for _ in range(players))
    return seat_game(game, RuleSet("championship-2010"), players=players, stakes=stakes)


def _duel(chance: random.Random, game: str) -> SeatGame:
    match = chance.choice((MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL))
    return seat_game(game, RuleSet("championship-2010"), players=2, match=match)


def _official(chance: random.Random, game: str) -> SeatGame:
    if chance.random() < 0.5:
        players = chance.choice(_REBEL_SIZES)
        return seat_game(game, RuleSet("official-2003", (OptionKey.REBEL,)), players=players)
    players = chance.choice((4, 5, 7, 8))
    stakes = tuple(
        Stake(Dollars(chance.randrange(0, 4000, 100)), survived=chance.random() < 0.5) for _ in range(players)
    )
    return seat_game(game, RuleSet("official-2003", _HOUSE), players=players, stakes=stakes)


def _simplified(chance: random.Random, game: str) -> SeatGame:
    return seat_game(game, RuleSet("simplified-2003"), players=chance.choice((4, 5, 6, 7, 8)))


GROUPS: Final[Mapping[str, Draw]] = {
    "championship": _championship,
    "italian": _italian,
    "duels": _duel,
    "official": _official,
    "simplified": _simplified,
}


def assignment() -> AssignTable:
    return AssignTable(TABLE, CHEAP_PIN)


def any_order(chance: random.Random, game: GameState) -> Order:
    seat = SeatNo(chance.randint(1, len(game.seats)))
    return chance.choices(
        (
            AnswerCall(game.game),
            PlaceInQueue(game.game, 1, chance.randint(0, 4)),
            EndCall(game.game, chance.randint(1, 3)),
            assignment(),
            OfferSignIn(game.game, chance.choice(("", "https://192.0.2.7/in/7KQ3M9XWPT4C"))),
            CheckInSeat(game.game, seat, chance.choice(("", "it", "xx"))),
            WithdrawSeat(game.game, seat, ejected=chance.random() < 0.5),
            CallTime(game.game, chance.choice((None, *TimeLimit))),
            SetClock(
                game.game,
                change=chance.randint(0, 9),
                limit_s=Seconds(5400),
                left_s=Seconds(chance.randint(-600, 5400)),
                held=chance.random() < 0.3,
                extended_s=Seconds(chance.choice((0, 0, 300))),
                answers=chance.randint(0, 2),
            ),
            CloseTournament("Thank you!"),
            ConfirmFromStation(game.game),
            VoidTable(game.game, "the draw was taken back"),
            RelieveTable(game.game),
            ShowMessage(
                MessageId(f"m{chance.randint(0, 3)}"),
                "Dinner is at seven.",
                "Roy",
                chance.choice((None, game.game)),
                Seconds(chance.choice((0, 60))),
            ),
            WithdrawMessage(MessageId(f"m{chance.randint(0, 3)}")),
            LockGlass(is_locked=chance.random() < 0.3, by="Roy"),
            RestartTerminal(),
            IdentifyTerminal("Table 1"),
        ),
        (40, 20, 20, 20, 12, 12, 12, 8, 20, 1, 1, 1, 1, 8, 4, 8, 4, 4),
    )[0]
