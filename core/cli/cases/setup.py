"""Worked cases of roles, life points and penalties."""

from collections.abc import Mapping

import msgspec

from base.errors import BadData
from core.characters import Character, life_points
from core.cli.cases.vectors import Vector, rename_fields
from core.cli.files import decode
from core.editions.edition import Edition
from core.game.ending.rebel import life_after_revolution
from core.game.play.wounds import life_after_beers
from core.game.state.offences import is_ejected_by
from core.game.state.seats import role_counts
from core.terms import Role

BASE_GAME_PLAYERS = 7
"""Players in play in cases that don't give a number."""

REBEL_MODULE = "rebel"
"""The name of the Rebel! rules in the worked cases."""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: int
    module: str = "base"


class _OneCharacter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    character: Character


class _LifeEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Damage by a card, Beers played, or points from a Saloon. cause and card are informative only."""

    damage: int = 0
    beers: int = 0
    saloon: int = 0
    cause: str | None = None
    card: str | None = None


_LIFE_ALSO_CALLED = {
    "alive_players": ("players_left", "players_alive", "alive"),
    "max_life": ("maximum", "max"),
    "passive": ("abandoned", "left"),
}
_LIFE_EVENT_ALSO_CALLED = {
    "damage": ("hit", "loss", "wound", "wounds", "lose"),
    "beers": ("beer",),
    "saloon": ("saloons", "heal", "gain"),
}


class _LifeEvents(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player's life points and the events that change them. ``passive`` means that the player has left."""

    max_life: int
    life: int
    alive_players: int = BASE_GAME_PLAYERS
    events: tuple[msgspec.Raw, ...]
    passive: bool = False


class _RevolutionLife(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    character: Character
    life: int
    max_life: int


class _Penalties(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    events: tuple[str, ...]


def roles(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return the number of players of each role at a table."""
    data = decode(vector.input, _Table, f"{where}, input")
    if data.module == REBEL_MODULE:
        return _roles_with_rebel(data.players, edition)
    try:
        row = role_counts(data.players, edition)
    except BadData:
        return {"error": "not_available"}
    return {role.value: row.count(role) for role in Role}


def _roles_with_rebel(players: int, edition: Edition) -> Mapping[str, object]:
    """Return the roles for a table size with the Rebel! option; not every size has the Rebel!.

    Source: The Rebel!, Objective of the game.
    """
    rows = () if edition.options.rebel is None else edition.options.rebel.roles
    row = next((row for row in rows if row.players == players), None)
    return {"error": "not_available"} if row is None else {role.value: row.count(role) for role in Role}


def revolution_life(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return the life points and maximum of a Rebel! who becomes Sheriff."""
    data = decode(vector.input, _RevolutionLife, f"{where}, input")
    life, max_life = life_after_revolution(data.life, data.max_life, edition)
    return {"life": life, "max_life": max_life}


def life(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return a character's life points, with and without the Sheriff's extra one."""
    character = decode(vector.input, _OneCharacter, f"{where}, input").character
    points = life_points(character)
    return {"life": points, "life_as_sheriff": points + edition.characters.sheriff_extra_life}


def life_events(vector: Vector, _edition: Edition, where: str) -> Mapping[str, object]:
    """Return the life points after damage, Beers and Saloons; a player with none left is eliminated.

    A passive character can't drink Beer but is healed by a Saloon.
    Source: Championship 2022/23 v1.4, 1.4 and 4 "General case study and FAQ".
    """
    data = decode(rename_fields(vector.input, _LIFE_ALSO_CALLED, where), _LifeEvents, f"{where}, input")
    points = data.life
    for number, raw in enumerate(data.events):
        at = f"{where}, input.events[{number}]"
        event = decode(rename_fields(raw, _LIFE_EVENT_ALSO_CALLED, at), _LifeEvent, at)
        points = life_after_beers(
            life=points - event.damage,
            max_life=data.max_life,
            beers=0 if data.passive else event.beers,
            players_left=data.alive_players,
        )
        if points > 0:
            points = min(points + event.saloon, data.max_life)
    return {"life": max(points, 0), "eliminated": points <= 0}


def penalties(vector: Vector, _edition: Edition, where: str) -> Mapping[str, object]:
    """Return the number of warnings and whether the player is ejected, which counts as an abandonment.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    data = decode(vector.input, _Penalties, f"{where}, input")
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
                    f"{where}, input.events[{number}]", f"{event!r} is neither warning nor ejection"
                )
    return {
        "warnings": warnings,
        "ejected": ejected,
        "treated_as": "abandonment" if ejected else None,
        "report_to_publisher": ejected,
    }
