"""The audit of an export: everything computed again from its facts."""

from collections.abc import Iterator

import msgspec

from saloon.base.errors import BadData
from saloon.core.cli.export_file import Export
from saloon.core.differences import Difference, differences
from saloon.core.game.ending.finished import FinishedGame, finished_game
from saloon.core.game.state import Phase
from saloon.core.game.timeline import fold
from saloon.core.proof.steps import steps_again
from saloon.core.terms import GameId
from saloon.core.tournament.events import DrawnTable
from saloon.core.tournament.results.accepted import AcceptedSheet, sheet_of
from saloon.core.tournament.state import Round


class AuditedGame(msgspec.Struct, frozen=True):
    """A drawn game. accepted: the sheet that counts, None while there is none.

    replayed: what the terminal's own steps give, None without a terminal or before its end.
    disagreement: where the two differ, by fields of ``FinishedGame``; expected is the accepted one.
    """

    game: GameId
    round: Round
    table: DrawnTable
    accepted: AcceptedSheet[FinishedGame] | None
    replayed: FinishedGame | None
    disagreement: tuple[Difference, ...]

    @property
    def result(self) -> FinishedGame | None:
        """The result that counts: the accepted one, and before it the terminal's own."""
        return self.replayed if self.accepted is None else self.accepted.result

    @property
    def source(self) -> str:
        """Return where the result comes from, in words."""
        if self.accepted is None:
            return "terminal, not accepted"
        corrected = ", corrected" if self.accepted.corrections else ""
        return self.accepted.source.value + corrected


def audited_games(export: Export) -> Iterator[AuditedGame]:
    """Yield all games of published draws, by round and table. Raises BadData for steps that cannot follow."""
    for drawn in export.tournament.state.published_rounds:
        for table in drawn.tables:
            accepted = sheet_of(drawn.sheets, table.game)
            replayed = _replay(export, table.game)
            disagreement: tuple[Difference, ...] = ()
            if accepted is not None and replayed is not None:
                disagreement = differences(
                    msgspec.to_builtins(accepted.result), msgspec.to_builtins(replayed)
                )
            yield AuditedGame(
                game=table.game,
                round=drawn,
                table=table,
                accepted=accepted,
                replayed=replayed,
                disagreement=disagreement,
            )


def _replay(export: Export, game: GameId) -> FinishedGame | None:
    try:
        timeline = fold(export.games.get(game, ()))
    except BadData as error:
        raise BadData(f"{export.path}, game {game}: {error.where}", error.problem) from error
    if timeline is None or timeline.state.phase not in {Phase.SHEET, Phase.CONFIRMED}:
        return None
    return finished_game(timeline.state)


def step_faults(export: Export) -> Iterator[str]:
    """Yield a sentence for every step that does not follow from the rules, including draws and lots."""
    return (str(fault) for fault in steps_again(export.steps).faults)
