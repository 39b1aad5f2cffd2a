"""Finished duels for ``saloon-rules score``: who has won, by which score and why."""

from collections.abc import Iterator, Mapping

import msgspec
from rich.console import Console
from rich.table import Table

from saloon.base.errors import BadData, Refused
from saloon.core.cli.cases.inputs import Given
from saloon.core.cli.files import decoded
from saloon.core.editions.edition import Edition
from saloon.core.game.duel.finished import FinishedDuel, check_finished_duel
from saloon.core.terms import PlayerId
from saloon.core.tournament.state import TournamentState


class ScoredDuel(msgspec.Struct, frozen=True):
    """A duel with its result. names: of its players, where they are known."""

    title: str
    duel: FinishedDuel
    source: str = ""
    names: Mapping[PlayerId, str] = {}


def is_duel(given: Given) -> bool:
    """Return whether an input is a finished duel: it says who has won, and no roles."""
    fields = decoded(given.vector.input, dict[str, msgspec.Raw], given.where)
    return "winner" in fields and "score" in fields


def given_duel(given: Given) -> ScoredDuel:
    """Return the duel of an input. Raises BadData for one that cannot have happened under the edition."""
    duel = decoded(given.vector.input, FinishedDuel, given.where)
    return ScoredDuel(given.name, _checked(duel, given.edition, given.where))


def duels_of(state: TournamentState, names: Mapping[PlayerId, str]) -> Iterator[ScoredDuel]:
    """Yield the accepted duels of a tournament's finals, in order."""
    if state.finals is None:
        return
    for duels in state.finals.begun:
        for accepted in duels.sheets:
            title = f"{duels.part.value}, table {accepted.result.table}"
            yield ScoredDuel(title, accepted.result, accepted.source.value, names)


def duel_fields(found: ScoredDuel) -> Mapping[str, object]:
    """Return a duel for programs."""
    duel = found.duel
    return {
        "game": found.title,
        "source": found.source,
        "kind": duel.kind.value,
        "winner": duel.winning_player,
        "score": duel.score,
        "because": duel.because.value,
        "ruling": duel.ruling,
    }


def print_duel(console: Console, found: ScoredDuel) -> None:
    """Print a duel for people."""
    duel = found.duel
    source = f" ({found.source})" if found.source else ""
    table = Table(title=f"{found.title}{source}: {duel.ruling or duel.because.value}", title_justify="left")
    for heading in ("seat", "player", "eliminated", "characters", ""):
        table.add_column(heading)
    for seat, player in enumerate(duel.players, start=1):
        table.add_row(
            str(seat),
            found.names.get(player, player),
            str(duel.score[seat - 1]),
            ", ".join(character.value for character in duel.characters[seat - 1]),
            "has won" if seat == duel.winner else "",
        )
    console.print(table)


def _checked(duel: FinishedDuel, edition: Edition, where: str) -> FinishedDuel:
    try:
        check_finished_duel(duel, edition)
    except Refused as refusal:
        raise BadData(where, str(refusal)) from refusal
    return duel
