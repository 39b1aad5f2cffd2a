"""Verification of a whole proof pack: bytes, steps and draws, games, money and ranking."""

from collections.abc import Iterator, Sequence

import msgspec

from core.differences import differences
from core.editions.edition import Edition
from core.game.ending.winnings import winnings
from core.proof.games import Games, compare_games, copy_faults, reported_games, unassigned_game_notes
from core.proof.lines import TerminalLine, published_prizes, published_rows
from core.proof.reading import IMPOSSIBLE, Pack, PackFault
from core.proof.steps import Steps, changed_draw_notes, recompute_steps
from core.tournament.prizes import awards_of
from core.tournament.sheets import AcceptResult, ContestResult
from core.tournament.standings.standings import standings_of
from core.tournament.state.tournament import Stage, TournamentState
from core.tournament.timeline import TournamentTimeline


def result_faults(pack: Pack, state: TournamentState, edition: Edition) -> Iterator[PackFault]:
    """Yield differences between the station's winnings or standings and those computed from the sheets."""
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
        yield PackFault(line.line, f"winnings of game {game}, which has no confirmed record sheet")


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
        published = stated.get(row.player)
        if published is None:
            yield PackFault(line.line, f"{names[row.player]} is missing in the standings")
        else:
            for fault in differences(msgspec.to_builtins(row), msgspec.to_builtins(published)):
                said = f"{fault.path} is {fault.expected}; the file says {fault.actual}"
                yield PackFault(line.line, f"{names[row.player]}: {said}")
    if [row.player for row in right] != [row.player for row in line.rows]:
        order = ", ".join(names[row.player] for row in right)
        yield PackFault(line.line, f"the standings should be in this order: {order}")
    awards = awards_of(state, edition) if state.is_published else ()
    prizes, written = published_prizes(awards), line.prizes or ()
    for fault in differences(msgspec.to_builtins(prizes), msgspec.to_builtins(written)):
        yield PackFault(line.line, f"prizes: {fault.path} is {fault.expected}; the file says {fault.actual}")


def _dollars(amounts: tuple[int, ...]) -> str:
    return " ".join(f"{amount:,}" for amount in amounts)


def carried_faults(timeline: TournamentTimeline, lines: Sequence[TerminalLine]) -> Iterator[PackFault]:
    """Yield a fault for each sheet carried offline whose journal entry has a different hash in the pack."""
    originals = {(line.stream, line.epoch, line.seq): line for line in lines}
    for event in (event for moment in timeline.moments for event in moment.step.events):
        origin = event.origin if isinstance(event, AcceptResult | ContestResult) else None
        if origin is None:
            continue
        original = originals.get((f"table/{origin.terminal}", origin.epoch, origin.seq))
        if original is not None and original.hash != origin.hash:
            yield PackFault(
                original.line,
                f"the record sheet carried from terminal {origin.terminal} names another entry {origin.seq}",
            )


class PackVerdict(msgspec.Struct, frozen=True):
    """The verdict on a pack, which is valid if there are no faults.

    notes: remarks that are not faults.
    reported: number of games reported by terminals.
    games: None if the steps break off.
    """

    title: str
    lines: int
    digest: str
    steps: Steps
    reported: int
    games: Games | None
    public: bool
    faults: tuple[PackFault, ...]
    notes: tuple[PackFault, ...]

    @property
    def holds(self) -> bool:
        return not self.faults


def verify_pack(pack: Pack, digest: str | None = None) -> PackVerdict:
    """Recompute everything in a pack. digest: the published one, if there is any.

    After a fault, later checks continue with the lines that are readable.
    """
    steps = recompute_steps(pack.station)
    reported = reported_games(pack.terminals)
    wrong_copies, lost_originals = copy_faults(pack.terminals)
    faults = [*pack.faults, *steps.faults, *wrong_copies]
    if digest is not None and digest != pack.digest:
        faults.append(PackFault(None, f"the digest of the file is {pack.digest}, not the one announced"))
    games: Games | None = None
    notes: list[PackFault] = []
    if steps.timeline is None or steps.edition is None:
        faults.append(PackFault(None, "there is no step of the tournament"))
    else:
        state = steps.timeline.state
        if pack.head is not None and (pack.head.tournament, pack.head.rules, pack.head.name) != (
            state.tournament,
            state.rules,
            state.name,
        ):
            faults.append(PackFault(1, "the head names another tournament or other rules than its steps"))
        games = compare_games(steps.timeline, reported)
        notes += (PackFault(None, note) for note in changed_draw_notes(state))
        notes += games.notes
        faults += carried_faults(steps.timeline, pack.terminals)
        faults += [*games.faults, *result_faults(pack, state, steps.edition)]
    return PackVerdict(
        title="" if pack.head is None else pack.head.name,
        lines=pack.count,
        digest=pack.digest,
        steps=steps,
        reported=len(reported),
        games=games,
        public=steps.timeline is not None and steps.timeline.state.stage is Stage.PUBLISHED,
        faults=tuple(faults),
        notes=(*notes, *lost_originals, *unassigned_game_notes(pack.terminals)),
    )
