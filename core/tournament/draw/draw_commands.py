"""Commands to seal, make and publish a draw."""

from collections.abc import Sequence

from base.errors import Refused
from core.editions.edition import FOUR, Edition, Schedule
from core.editions.tables_of_four import with_tables_of_four
from core.rule_set import TablesOfFour
from core.terms import PlayerId, RoundNo
from core.tournament.commands import AllowTablesOfFour, MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.chance import is_seed, normalise_hall_word, seal_of
from core.tournament.draw.draw_algorithm import Candidate, Draw, DrawKey, draw, draw_in_groups
from core.tournament.draw.groups import NextGames, next_games, plays_in_groups
from core.tournament.draw.hall_tables import tables_are_free, tables_suffice
from core.tournament.draw.rounds import planned_rounds, printed_rounds, table_sizes
from core.tournament.events import DrawMade, DrawPublished, DrawSealed, TablesOfFourAllowed
from core.tournament.state import Round, TournamentState
from core.tournament.state.guards import (
    name_of,
    no_dispute_holds_up,
    nobody_left_is_in,
    nothing_missing,
    nothing_owed,
    require_reason,
    still_secret,
)
from core.tournament.state.reasons import TournamentReason


def seal(state: TournamentState, command: SealDraw, edition: Edition, by: str) -> DrawSealed:
    """Return the event that seals the next draw, or another attempt at an unpublished one.

    Refused while record sheets are missing or disputed that no judge has waived, when all rounds are drawn,
    when the players cannot be seated, and for a redraw without a reason.
    """
    still_secret(state)
    nothing_missing(state, edition)
    no_dispute_holds_up(state, command.disputed, edition)
    published = len(state.published_rounds)
    if state.rounds_planned is not None and published >= state.rounds_planned:
        raise Refused(TournamentReason.ALL_ROUNDS_PLAYED)
    tables_suffice(state.hall_tables, len(_next_sizes(state, edition)))
    if not is_seed(command.seed):
        raise Refused(TournamentReason.BAD_SEED)
    if any(command.seed == drawn.seed for drawn in state.rounds):
        raise Refused(TournamentReason.SEED_USED)
    used = state.attempts[published] if published < len(state.attempts) else 0
    is_asked = used > 0 and command.reason is not None
    return DrawSealed(
        round=RoundNo(published + 1),
        attempt=used + 1,
        seed=command.seed,
        seal=seal_of(command.seed),
        by=by,
        reason=require_reason(command.reason or "") if is_asked else "",
    )


def _next_sizes(state: TournamentState, edition: Edition) -> tuple[int, ...]:
    """Return the table sizes of the next round for the remaining players.

    Source: Championship 2022/23 v1.4, 1.1 "Following matches"; fewer than 10 left: reading D05.
    """
    players = len(state.contenders)
    if plays_in_groups(state, edition):
        return next_games(state, edition).sizes
    if not state.published_rounds:
        printed_rounds(players, edition, unofficial=state.unofficial)
    began = bool(state.published_rounds)
    return table_sizes(players, edition, below_minimum=state.unofficial or began)


def allow_tables_of_four(
    state: TournamentState, command: AllowTablesOfFour, edition: Edition, by: str
) -> TablesOfFourAllowed:
    """Allow tables of 4, which the document excludes, when players can't be seated otherwise.

    Refused without a reason, and unless 8 or 9 players are left of a larger number. Raises BadData unless
    there is one amount for each row of the winnings.
    Source: reading D44.
    """
    still_secret(state)
    reason = require_reason(command.reason)
    if edition.tables_of_four:
        raise Refused(TournamentReason.FOUR_ALLOWED_ALREADY)
    if not edition.may_have_tables_of_four:
        raise Refused(TournamentReason.NO_TABLES_OF_FOUR)
    players = len(state.contenders)
    if players not in {FOUR + FOUR, FOUR + FOUR + 1}:
        raise Refused(TournamentReason.FOUR_NOT_NEEDED, players=players)
    with_tables_of_four(edition, TablesOfFour(reason, command.dollars))
    return TablesOfFourAllowed(command.dollars, reason, by)


def make(state: TournamentState, command: MakeDraw, edition: Edition, by: str) -> DrawMade:
    """Return the event of the draw, which the sealed seed and the hall word determine."""
    pending = _pending(state, TournamentReason.NOTHING_SEALED)
    if pending.drawn:
        raise Refused(TournamentReason.DRAWN_ALREADY)
    hall_word = normalise_hall_word(command.hall_word)
    key = DrawKey(
        tournament=state.tournament,
        round=pending.round,
        attempt=pending.attempt,
        seed=pending.seed,
        hall_word=hall_word,
    )
    nobody_left_is_in(state, command.left)
    nothing_owed(state, command.owing)
    no_dispute_holds_up(state, command.disputed, edition)
    sizes = _next_sizes(state, edition)
    tables_suffice(state.hall_tables, len(sizes))
    games = next_games(state, edition) if plays_in_groups(state, edition) else None
    if games is None or games.is_new_series:
        drawn = draw(key, _candidates(state, edition), sizes)
    else:
        drawn = draw_in_groups(key, [_in_series(group, games) for group in games.groups])
    return DrawMade(
        round=pending.round,
        attempt=pending.attempt,
        hall_word=hall_word,
        tables=drawn.tables,
        repeated_sheriffs=_repeated_sheriffs(drawn, edition),
        by=by,
        series=0 if games is None else games.series,
    )


def _in_series(group: Sequence[PlayerId], games: NextGames) -> list[Candidate]:
    return [Candidate(player, int(player in games.were_sheriff)) for player in group]


def _repeated_sheriffs(drawn: Draw, edition: Edition) -> tuple[PlayerId, ...]:
    """Return the players who are Sheriff again against the rule; in one group this is normal."""
    return () if edition.schedule is Schedule.ONE_GROUP else drawn.repeated_sheriffs


def _candidates(state: TournamentState, edition: Edition) -> tuple[Candidate, ...]:
    counts = edition.tables.sheriff_once or edition.schedule is Schedule.ONE_GROUP
    return tuple(
        Candidate(entrant.player, len(entrant.sheriff_in) if counts else 0) for entrant in state.contenders
    )


def publish(state: TournamentState, command: PublishDraw, edition: Edition, by: str) -> DrawPublished:
    """Publish tables and seed. Refused if players joined or left after the draw.

    The first publication fixes the number of rounds (D04).
    """
    pending = _pending(state, TournamentReason.NOTHING_DRAWN)
    if not pending.drawn:
        raise Refused(TournamentReason.NOTHING_DRAWN)
    seated = {player for table in pending.tables for player in table.players}
    changed = seated ^ _to_be_seated(state, edition)
    if changed:
        names = [name_of(state, entrant.player) for entrant in state.entrants if entrant.player in changed]
        raise Refused(TournamentReason.DRAW_IS_STALE, names=", ".join(names))
    tables_are_free([table.table for table in pending.tables], command.in_use)
    nobody_left_is_in(state, command.left)
    nothing_owed(state, command.owing)
    no_dispute_holds_up(state, command.disputed, edition)
    rounds = state.rounds_planned
    if rounds is None:
        rounds = planned_rounds(len(seated), edition, state.waivers, unofficial=state.unofficial)
    return DrawPublished(round=pending.round, by=by, rounds_planned=rounds)


def _to_be_seated(state: TournamentState, edition: Edition) -> set[PlayerId]:
    """Return the players of the next round: all of them, or the groups that don't have to wait."""
    if plays_in_groups(state, edition):
        return {player for group in next_games(state, edition).groups for player in group}
    return {entrant.player for entrant in state.contenders}


def _pending(state: TournamentState, missing: TournamentReason) -> Round:
    still_secret(state)
    if state.pending_round is None:
        raise Refused(missing)
    return state.pending_round
