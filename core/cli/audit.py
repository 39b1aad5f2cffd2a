"""The audit of an export: recompute every game from its recorded steps."""

from collections.abc import Iterator

import msgspec

from base.errors import BadData, Refused
from core.cli.export_file import Export
from core.differences import Difference, differences
from core.game.ending.finished import FinishedGame, finished_game
from core.game.state.game import Phase
from core.game.timeline import fold
from core.proof.steps import steps_again
from core.terms import GameId
from core.tournament.state.rounds import AcceptedSheet, DrawnTable, Round, sheet_of


class AuditedGame(msgspec.Struct, frozen=True):
    """A game of a published draw, as accepted and as recomputed.

    accepted: the confirmed record sheet, None until there is one.
    replayed: the result of replaying the terminal's steps, or None without a terminal, or before the game's
        end.
    disagreement: fields of ``FinishedGame`` in which the two differ; expected is the accepted value.
    """

    game: GameId
    round: Round
    table: DrawnTable
    accepted: AcceptedSheet[FinishedGame] | None
    replayed: FinishedGame | None
    disagreement: tuple[Difference, ...]

    @property
    def result(self) -> FinishedGame | None:
        """Return the accepted result, or the terminal's own until there is one."""
        return self.replayed if self.accepted is None else self.accepted.result

    @property
    def source(self) -> str:
        """Return a description of where the result comes from."""
        if self.accepted is None:
            return "terminal, not accepted"
        corrected = ", corrected" if self.accepted.corrections else ""
        return self.accepted.source.value + corrected


def audited_games(export: Export) -> Iterator[AuditedGame]:
    """Yield all games of published draws, by round and table. Raises BadData for impossible steps."""
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
    try:
        return finished_game(timeline.state)
    except Refused:
        # The judge entered the result from paper in the middle of the game.
        return None


def step_faults(export: Export) -> Iterator[str]:
    """Yield a sentence for every step that contradicts the rules, including draws and lots."""
    return (str(fault) for fault in steps_again(export.steps).faults)
