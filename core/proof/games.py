"""Games recomputed from each terminal's entries and compared with the accepted record sheets."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from base.errors import Refused
from core.differences import Difference, differences
from core.game.events import StepOrigin
from core.game.result import Result, finished_match
from core.game.takeover import is_confirmation
from core.game.timeline import fold
from core.proof.lines import TerminalLine
from core.proof.reading import IMPOSSIBLE, PackFault
from core.rule_set import RecordMode
from core.terms import GameId
from core.tournament.sheets import AcceptResult
from core.tournament.state.rounds import AcceptedSheet, Source
from core.tournament.timeline import TournamentTimeline


class ReportedGame(msgspec.Struct, frozen=True):
    """A game or duel as reported by one terminal.

    line: the number of its first line.
    result: None before its end.
    problem: why its steps can't be replayed, or "".
    mode: the last record mode.
    """

    stream: str
    line: int
    result: Result | None
    problem: str = ""
    mode: RecordMode = RecordMode.FULL


class Games(msgspec.Struct, frozen=True):
    """The comparison of record sheets with the terminals' own entries.

    replayed: number of accepted sheets that a terminal's entries confirm, some of them in light mode.
    carried: number of sheets carried by code or USB drive.
    notes: sheets that differ from a terminal's entries, with the reason.
    """

    accepted: int
    replayed: int
    light: int
    paper: int
    carried: int
    corrected: int
    faults: tuple[PackFault, ...]
    notes: tuple[PackFault, ...]


def reported_games(lines: Sequence[TerminalLine]) -> Mapping[GameId, tuple[ReportedGame, ...]]:
    """Return the games that terminals reported, replayed from each stream and epoch."""
    streams: dict[tuple[GameId, str, str], list[TerminalLine]] = {}
    for line in lines:
        if line.counts:
            streams.setdefault((line.step.game, line.stream, line.epoch), []).append(line)
    games: dict[GameId, tuple[ReportedGame, ...]] = {}
    for (game, stream, _), steps in streams.items():
        games[game] = (*games.get(game, ()), _replay(stream, steps))
    return games


def copy_faults(lines: Sequence[TerminalLine]) -> tuple[tuple[PackFault, ...], tuple[PackFault, ...]]:
    """Return the faults and notes on steps that were copied from another terminal.

    A copy must equal its original, which must come from a terminal that the game was assigned to. It is only
    a note if the original is missing, as after the loss of a station's disk and a terminal, or if a
    confirmation was copied, as older stations did.
    """
    originals = {(line.stream, line.epoch, line.seq): line for line in lines}
    faults: list[PackFault] = []
    lost: dict[str, TerminalLine] = {}
    confirmed: list[PackFault] = []
    for line in lines:
        origin = line.step.origin
        if not isinstance(origin, StepOrigin) or not line.counts:
            continue
        where = f"table/{origin.terminal}, entry {origin.seq}"
        if is_confirmation(line.step):
            confirmed.append(PackFault(line.line, f"{line.stream} copied the confirmation of {where}"))
        first = originals.get((f"table/{origin.terminal}", origin.epoch, origin.seq))
        if first is None:
            lost.setdefault(line.stream, line)
        elif not first.counts:
            faults.append(
                PackFault(line.line, f"it is a copy of {where}; that terminal was never given the game")
            )
        elif (first.step.game, first.step.events) != (line.step.game, line.step.events):
            faults.append(PackFault(line.line, f"it differs from {where}, of which it is a copy"))
    notes = (
        PackFault(line.line, f"{stream} took over steps whose originals are not in the pack")
        for stream, line in lost.items()
    )
    return tuple(faults), (*notes, *confirmed)


def unassigned_game_notes(lines: Sequence[TerminalLine]) -> Iterator[PackFault]:
    """Yield a note for each terminal that recorded a game to which it was not assigned."""
    apart: dict[tuple[str, GameId], list[TerminalLine]] = {}
    for line in lines:
        if not line.counts:
            apart.setdefault((line.stream, line.step.game), []).append(line)
    for (stream, game), steps in apart.items():
        count = "1 step" if len(steps) == 1 else f"{len(steps)} steps"
        yield PackFault(
            steps[0].line, f"{stream} wrote {count} of game {game}, which it was never given; none counts"
        )


def _replay(stream: str, lines: Sequence[TerminalLine]) -> ReportedGame:
    result, problem, mode = None, "", RecordMode.FULL
    try:
        timeline = fold(line.step for line in lines)
        if timeline is not None:
            mode = timeline.state.mode
            # A judge may enter the result from paper in the middle of a game; then the table has none.
            with suppress(Refused):
                result = finished_match(timeline.state)
    except IMPOSSIBLE as error:
        problem = str(error)
    return ReportedGame(stream, lines[0].line, result, problem, mode)


def compare_games(timeline: TournamentTimeline, reported: Mapping[GameId, tuple[ReportedGame, ...]]) -> Games:
    """Compare the accepted record sheets with the results of the terminals' own entries."""
    accepted = {
        event.game: event
        for moment in timeline.moments
        for event in moment.step.events
        if isinstance(event, AcceptResult)
    }
    faults: list[PackFault] = []
    notes: list[PackFault] = []
    replayed = light = 0
    sheets = list(_sheets(timeline))
    for words, sheet in sheets:
        speaking = reported.get(sheet.game, ())
        results = [one.result for one in speaking if one.result is not None]
        first = accepted[sheet.game]
        giving = [one.mode for one in speaking if one.result == first.result]
        replayed += bool(giving)
        light += bool(giving) and giving[-1] is RecordMode.LIGHT
        if first.result not in results and first.source is Source.TERMINAL:
            faults.append(PackFault(None, f"{words}: {_explain_missing_support(first, speaking)}"))
        elif results and sheet.result not in results:
            notes += [PackFault(None, f"{words}: {said}") for said in _otherwise(sheet, results[-1])]
    return Games(
        accepted=len(sheets),
        replayed=replayed,
        light=light,
        paper=sum(sheet.source is Source.PAPER for _, sheet in sheets),
        carried=sum(sheet.source is Source.CARRIED for _, sheet in sheets),
        corrected=sum(bool(sheet.corrections) for _, sheet in sheets),
        faults=tuple(faults),
        notes=(*notes, *_broken(reported)),
    )


def _sheets(timeline: TournamentTimeline) -> Iterator[tuple[str, AcceptedSheet[Result]]]:
    for drawn in timeline.state.published_rounds:
        for sheet in drawn.sheets:
            yield f"round {drawn.round}, table {sheet.result.table}", sheet
    for duels in timeline.state.duels:
        for duel in duels.sheets:
            yield f"{duels.part.value}, table {duel.result.table}", duel


def _explain_missing_support(accepted: AcceptResult[Result], speaking: Sequence[ReportedGame]) -> str:
    finished = [one.result for one in speaking if one.result is not None]
    if finished:
        (difference, *_) = _differences(accepted.result, finished[-1])
        return (
            f"the sheet was accepted as the terminal's, whose entries differ: "
            f"{difference.path} is {difference.actual} there, {difference.expected} on the sheet"
        )
    for one in speaking:
        if one.problem:
            return (
                f"the sheet was accepted as the terminal's, whose entries cannot be replayed: {one.problem}"
            )
    return "the sheet was accepted as a terminal's, and no terminal's entries reach its end"


def _otherwise(sheet: AcceptedSheet[Result], result: Result) -> Iterator[str]:
    source = "carried" if sheet.source is Source.CARRIED else "paper"
    why = f"{source}, {sheet.by}"
    if sheet.corrections:
        why = f"corrected by {sheet.by}: {sheet.corrections[-1]}"
    for difference in _differences(sheet.result, result):
        yield (
            f"{difference.path} is {difference.actual} on the terminal, {difference.expected} on the sheet, "
            f"which counts ({why})"
        )


def _differences(sheet: Result, result: Result) -> tuple[Difference, ...]:
    return differences(msgspec.to_builtins(sheet), msgspec.to_builtins(result))


def _broken(reported: Mapping[GameId, tuple[ReportedGame, ...]]) -> Iterator[PackFault]:
    for game, streams in reported.items():
        for one in streams:
            if one.problem:
                yield PackFault(
                    one.line, f"{one.stream} tells game {game} as it cannot be played: {one.problem}"
                )
