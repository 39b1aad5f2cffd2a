"""Worked cases of one game: roles, life points, penalties, endings and winnings."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from base.errors import BadData
from core.characters import Character, life_points
from core.cli.cases.case import REBEL_MODULE, Case
from core.cli.files import decode
from core.editions.readings import Readings
from core.game.ending.endings import InProgress, Outcome, outcome
from core.game.ending.finished_game import FinishedGame
from core.game.ending.rebel import life_after_revolution
from core.game.ending.winnings import PayoutKind, payouts
from core.game.play.wounds import life_after_beers
from core.game.state.game import Abandonment, Cause, Elimination
from core.game.state.offences import is_ejected_by
from core.terms import PlayerId, Role, RoundNo, SeatNo, TableNo


class _CaseElimination(msgspec.Struct, frozen=True):
    """An elimination. effect: the same text for players eliminated by one card."""

    seat: SeatNo
    by: SeatNo | None
    turn: SeatNo
    effect: str | None = None
    cause: str | None = None


def _cause(elimination: _CaseElimination) -> Cause:
    # Dynamite and High Noon strike in the player's own turn; otherwise the killer wasn't recorded.
    if elimination.by is not None or (elimination.turn != elimination.seat and elimination.cause is None):
        return Cause.PLAYER
    return Cause.HIGH_NOON if elimination.cause == "high_noon" else Cause.DYNAMITE


class _CaseGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    roles: tuple[Role, ...]
    eliminations: tuple[_CaseElimination, ...]
    abandonments: tuple[Abandonment, ...] = ()
    ended_by: Literal["elimination", "time_limit"] | None = None

    def __post_init__(self) -> None:
        if len(self.roles) != self.players:
            raise ValueError(f"{len(self.roles)} roles for {self.players} players")
        if self.roles.count(Role.SHERIFF) != 1:
            raise ValueError("there must be one Sheriff")
        seats = [elimination.seat for elimination in self.eliminations]
        if len(set(seats)) != len(seats):
            raise ValueError("a seat is eliminated twice")
        named = {*seats, *(elimination.turn for elimination in self.eliminations)}
        named |= {elimination.by for elimination in self.eliminations if elimination.by is not None}
        strange = [seat for seat in named if not 1 <= seat <= self.players]
        if strange:
            raise ValueError(f"there is no seat {strange[0]}")

    def outcome(self, readings: Readings) -> Outcome | InProgress:
        """Return how the game ended, or InProgress."""
        return outcome(self.roles, self.eliminated(), readings, time_limit=self.ended_by == "time_limit")

    def eliminated(self) -> tuple[Elimination, ...]:
        """Return the eliminations with their causes, numbered by effect."""
        eliminations: list[Elimination] = []
        number, before = 0, None
        for elimination in self.eliminations:
            if elimination.effect is None or elimination.effect != before:
                number += 1
            before = elimination.effect
            eliminations.append(
                Elimination(
                    seat=elimination.seat,
                    by=elimination.by,
                    turn=elimination.turn,
                    effect=number,
                    cause=_cause(elimination),
                    role=self.roles[elimination.seat - 1],
                )
            )
        return tuple(eliminations)


def finished_case(case: Case) -> tuple[FinishedGame, Outcome]:
    """Return a case's game as a finished game with its outcome, without eliminations after the ending.

    Raises BadData for a game without an ending.
    """
    game = case.read(_CaseGame)
    ended = game.outcome(case.edition.readings)
    if isinstance(ended, InProgress):
        raise BadData(f"{case.where}, input.eliminations", "these eliminations do not end the game")
    finished = FinishedGame(
        round=RoundNo(1),
        table=TableNo(1),
        players=tuple(PlayerId(f"seat {seat}") for seat in range(1, game.players + 1)),
        roles=game.roles,
        eliminations=game.eliminated()[: ended.after],
        abandonments=game.abandonments,
        ending=ended.ending,
    )
    return finished, ended


def scoring(case: Case) -> Mapping[str, object]:
    """Return the winnings of a finished game, its winners, and the seats that lost a final duel."""
    finished, ended = finished_case(case)
    paid = payouts(finished, ended, case.edition)
    return {
        "outcome": ended.ending.value,
        "payout": [payout.dollars for payout in paid],
        "cash_part": [payout.of(PayoutKind.REWARD) for payout in paid],
        "penalty_part": [payout.of(PayoutKind.PENALTY) for payout in paid],
        "won": ended.winners,
        "alive_at_end": ended.alive,
        "renegade_final_duel_lost": ended.final_duel_lost,
        "revolution_seat": None if ended.revolution is None else ended.revolution.seat,
    }


def ending(case: Case) -> Mapping[str, object]:
    """Return the state of a game after its eliminations."""
    game = case.read(_CaseGame)
    ended = game.outcome(case.edition.readings)
    ended_after = ended.after if isinstance(ended, Outcome) else None
    return {
        "outcome": ended.ending.value if isinstance(ended, Outcome) else "in_progress",
        "ended_after_elimination": None if game.ended_by == "time_limit" else ended_after,
        "won": ended.winners if isinstance(ended, Outcome) else (),
        "alive_at_end": ended.alive,
        "renegade_final_duel_lost": ended.final_duel_lost if isinstance(ended, Outcome) else (),
        "deputies_alive": ended.seats_of(Role.DEPUTY, alive=True),
        "deputies_eliminated": ended.seats_of(Role.DEPUTY, alive=False),
        "outlaws_alive": ended.seats_of(Role.OUTLAW, alive=True),
        "outlaws_eliminated": ended.seats_of(Role.OUTLAW, alive=False),
        "current_sheriff": ended.current_sheriff,
        "revolution": None
        if ended.revolution is None
        else {"seat": ended.revolution.seat, "after_elimination": ended.revolution.after},
    }


_BASE_GAME_PLAYERS = 7
"""The number of players in play in cases that give none."""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    module: str = "base"


class _OneCharacter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    character: Character


class _LifeEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    damage: int = 0
    beers: int = 0
    saloon: int = 0
    cause: str | None = None  # for human readers, like card
    card: str | None = None


class _LifeEvents(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    max_life: int
    life: int
    alive_players: int = _BASE_GAME_PLAYERS
    events: tuple[msgspec.Raw, ...]
    passive: bool = False


class _RevolutionLife(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    character: Character
    life: int
    max_life: int


class _Penalties(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    events: tuple[str, ...]


def roles(case: Case) -> Mapping[str, object]:
    """Return the number of players of each role at a table; the Rebel! isn't at every table size.

    Source: base game; The Rebel!, Objective of the game.
    """
    data = case.read(_Table)
    rows = case.edition.role_rows
    if data.module == REBEL_MODULE:
        rebel = case.edition.options.rebel
        rows = () if rebel is None else rebel.roles
    row = next((row for row in rows if row.players == data.players), None)
    return {"error": "not_available"} if row is None else {role.value: row.count(role) for role in Role}


def revolution_life(case: Case) -> Mapping[str, object]:
    """Return the life points and maximum of a Rebel! who becomes Sheriff."""
    data = case.read(_RevolutionLife)
    life, max_life = life_after_revolution(data.life, data.max_life, case.edition)
    return {"life": life, "max_life": max_life}


def life(case: Case) -> Mapping[str, object]:
    """Return a character's life points, with and without the Sheriff's extra one."""
    character = case.read(_OneCharacter).character
    points = life_points(character)
    return {"life": points, "life_as_sheriff": points + case.edition.characters.sheriff_extra_life}


def life_events(case: Case) -> Mapping[str, object]:
    """Return the life points after damage, Beers and Saloons; a player with none left is eliminated.

    A passive character can't drink Beer but is healed by a Saloon.
    Source: Championship 2022/23 v1.4, 1.4 and 4 "General case study and FAQ".
    """
    data = case.read(_LifeEvents)
    points = data.life
    for number, raw in enumerate(data.events):
        at = f"{case.where}, input.events[{number}]"
        event = decode(raw, _LifeEvent, at)
        points = life_after_beers(
            life=points - event.damage,
            max_life=data.max_life,
            beers=0 if data.passive else event.beers,
            players_left=data.alive_players,
        )
        if points > 0:
            points = min(points + event.saloon, data.max_life)
    return {"life": max(points, 0), "eliminated": points <= 0}


def penalties(case: Case) -> Mapping[str, object]:
    """Return the number of warnings, and whether the player is ejected, which counts as an abandonment.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    data = case.read(_Penalties)
    warnings, ejected = 0, False
    for number, event in enumerate(data.events):
        match event:
            case "warning":
                warnings += 1
                ejected = ejected or is_ejected_by(warnings)
            case "ejection" | "direct_ejection" | "ejected" | "eject" | "direct ejection":
                ejected = True
            case _:
                raise BadData(
                    f"{case.where}, input.events[{number}]", f"{event!r} is neither warning nor ejection"
                )
    return {
        "warnings": warnings,
        "ejected": ejected,
        "treated_as": "abandonment" if ejected else None,
        "report_to_publisher": ejected,
    }
