"""Money and ranking computed again, beside what the station published."""

from collections.abc import Iterator

import msgspec

from saloon.core.differences import differences
from saloon.core.editions.edition import Edition
from saloon.core.game.ending.winnings import winnings
from saloon.core.proof.impossible import IMPOSSIBLE
from saloon.core.proof.published import PublishedRow, published_rows
from saloon.core.proof.reading import Pack, PackFault
from saloon.core.terms import PlayerId
from saloon.core.tournament.standings.standings import standings_of
from saloon.core.tournament.state import Stage, TournamentState


def result_faults(pack: Pack, state: TournamentState, edition: Edition) -> Iterator[PackFault]:
    """Yield where winnings or standings, computed from the record sheets, are not what the station says."""
    try:
        yield from _winnings_faults(pack, state, edition)
        yield from _standings_faults(pack, state, edition)
    except IMPOSSIBLE as error:
        yield PackFault(None, f"winnings and ranking cannot be computed: {error}")


def _winnings_faults(pack: Pack, state: TournamentState, edition: Edition) -> Iterator[PackFault]:
    stated = {line.game: line for line in pack.winnings}
    if len(stated) != len(pack.winnings):
        yield PackFault(None, "the winnings of a game are stated twice")
    for drawn in state.published_rounds:
        for sheet in drawn.sheets:
            line = stated.pop(sheet.game, None)
            words = f"round {drawn.round}, table {sheet.result.table}"
            if line is None:
                yield PackFault(None, f"{words}: the file does not state the winnings")
                continue
            right = winnings(sheet.result, edition)
            if line.winnings != right:
                yield PackFault(
                    line.line, f"{words}: the winnings are {_dollars(right)}, not {_dollars(line.winnings)}"
                )
    for game, line in stated.items():
        yield PackFault(line.line, f"winnings of game {game}, which has no accepted record sheet")


def _standings_faults(pack: Pack, state: TournamentState, edition: Edition) -> Iterator[PackFault]:
    line = pack.standings
    if line is None:
        yield PackFault(None, "the file does not state the standings")
        return
    if line.public is not (state.stage is Stage.PUBLISHED):
        yield PackFault(line.line, "the file is wrong about whether the ranking is public")
    right = published_rows(standings_of(state, edition))
    names = {entrant.player: entrant.name for entrant in state.entrants}
    stated = {row.player: row for row in line.rows}
    for row in right:
        found = stated.get(row.player)
        if found is None:
            yield PackFault(line.line, f"{names[row.player]} is missing in the standings")
        else:
            yield from _row_faults(row, found, names[row.player], line.line)
    if [row.player for row in right] != [row.player for row in line.rows]:
        yield PackFault(line.line, f"the order of the standings is another: {_order(right, names)}")


def _row_faults(right: PublishedRow, found: PublishedRow, name: str, line: int) -> Iterator[PackFault]:
    for difference in differences(msgspec.to_builtins(right), msgspec.to_builtins(found)):
        yield PackFault(
            line, f"{name}: {difference.path} is {difference.expected}; the file says {difference.found}"
        )


def _order(rows: tuple[PublishedRow, ...], names: dict[PlayerId, str]) -> str:
    return ", ".join(names[row.player] for row in rows)


def _dollars(amounts: tuple[int, ...]) -> str:
    return " ".join(f"{amount:,}" for amount in amounts)
