"""Properties that hold whatever a table enters, and events stored as in version 1.0.0."""

from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from base.errors import Refused
from core.editions.loader import edition
from core.game.clock import EndByTimeLimit
from core.game.correction import CorrectTurns
from core.game.decide import GameCommand, decide, why_not
from core.game.ending.endings import find_ending
from core.game.ending.finished_game import check_finished, finished_game
from core.game.ending.sheet import DeclareRoles
from core.game.ending.winnings import winnings
from core.game.events import GameEvent, GameStep
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LOWEST_LIFE
from core.game.state.decisions import Event, Redo, Undo
from core.game.state.game import Cause, GameState, HighNoon, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import in_play, role_counts
from core.game.timeline import Timeline, extend, fold, redoable, undoable
from core.terms import Ending, SeatNo
from tests.core.game.conftest import ROLES, ScriptedTable
from tests.core.game.strategies import COMMANDS, next_move

RULES = edition("championship-2022")
BEGUN = {players: ScriptedTable(RULES).begun(players) for players in (5, 6, 7)}
SEATED = {players: ScriptedTable(RULES).seated(players) for players in (5, 6, 7)}

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Other work may share the machine; how long an example takes says nothing here."""


def after(timeline: Timeline, command: GameCommand) -> Timeline:
    """The timeline after a command, the same one where it is refused."""
    state, may_undo, may_redo = timeline.state, undoable(timeline), redoable(timeline)
    refused = why_not(state, command, RULES, may_undo=may_undo, may_redo=may_redo)
    if refused is not None:
        assert isinstance(refused.reason, GameReason)
        assert str(refused)
        return timeline
    events = decide(state, command, RULES, may_undo=may_undo, may_redo=may_redo)
    return extend(timeline, GameStep(state.game, events))


def check_bounds(state: GameState, *, turns_corrected: bool = False) -> None:
    for seat in state.seats:
        assert LOWEST_LIFE <= seat.life <= seat.max_life
        assert seat.in_play or seat.life == 0
    if state.phase is Phase.PLAYING:
        assert state.turn is not None
        open_questions = {seat.seat for seat in state.seats if seat.in_play and seat.life <= 0}
        assert set(state.pending) == open_questions
        is_asked = state.pending or state.doubtful or state.is_turn_unknown
        assert is_asked or state.seats[state.turn - 1].in_play
        assert all(state.seats[seat - 1].in_play for seat in state.doubtful)
        assert not state.high_noon_question or state.pending == (state.turn,)
        assert (state.high_noon is HighNoon.OFF) is (state.reshuffles < (2 if len(state.seats) == 7 else 3))
        counts = role_counts(len(state.seats), RULES)
        assert (
            state.pending or state.doubtful or find_ending(counts, state.eliminations, RULES.readings) is None
        )
    else:
        assert state.pending == ()
    # A judge may add turns that the table forgot to press.
    assert turns_corrected or sum(state.turns_played) <= state.turns


@pytest.mark.slow
@unhurried
@given(players=st.sampled_from([5, 6, 7]), data=st.data())
def test_games_of_moves_stay_in_bounds_and_end_as_the_roles_say(players: int, data: st.DataObject) -> None:
    timeline = BEGUN[players].timeline
    assert timeline is not None
    log = list(BEGUN[players].log)
    for _ in range(data.draw(st.sampled_from([10, 40, 80]))):
        if timeline.state.phase is not Phase.PLAYING:
            break
        before = timeline
        timeline = after(before, data.draw(next_move(before.state, ROLES[players])))
        check_bounds(timeline.state)
        if timeline.moments[-1].step is not before.moments[-1].step:
            log.append(timeline.moments[-1].step)
            undone = after(timeline, Undo(1))
            assert undone.state == before.state
            assert after(undone, Redo()).state == timeline.state
    check_ended(timeline, players)


def check_ended(timeline: Timeline, players: int) -> None:
    if timeline.state.phase is Phase.PLAYING:
        timeline = after(timeline, EndByTimeLimit())
    declared = after(timeline, DeclareRoles(ROLES[players]))
    assert declared.state.phase is Phase.SHEET
    game = finished_game(declared.state)
    outcome = check_finished(game, RULES)
    assert (outcome.ending, outcome.because) == (declared.state.ending, declared.state.because)
    if outcome.ending is not Ending.NO_WINNER:
        assert set(outcome.alive) == set(in_play(declared.state))
    assert (sum(winnings(game, RULES)) > 0) is bool(outcome.winners)


@unhurried
@given(players=st.sampled_from([5, 6, 7]), commands=st.lists(COMMANDS, max_size=25), begun=st.booleans())
def test_senseless_commands_are_refused_and_nothing_else(
    players: int, commands: list[GameCommand], *, begun: bool
) -> None:
    table = (BEGUN if begun else SEATED)[players]
    assert table.timeline is not None
    timeline, log = table.timeline, list(table.log)
    for command in commands:
        state, may_undo = timeline.state, undoable(timeline)
        refused = why_not(state, command, RULES, may_undo=may_undo)
        if refused is not None:
            with pytest.raises(Refused) as raised:
                decide(state, command, RULES, may_undo=may_undo)
            assert str(raised.value) == str(refused)
            assert timeline.state == state
            continue
        events = decide(state, command, RULES, may_undo=may_undo)
        log.append(GameStep(state.game, events))
        timeline = extend(timeline, log[-1])
        corrected = any(isinstance(event, CorrectTurns) for step in log for event in step.events)
        check_bounds(timeline.state, turns_corrected=corrected)
    assert fold(log) == timeline


def answers(state: GameState) -> Iterator[GameCommand]:
    """Everybody who falls is out by High Noon, with the role of the usual deal."""
    dealt = ROLES[len(state.seats)]
    for seat in state.pending:
        cause = Cause.HIGH_NOON if state.high_noon_question else Cause.DYNAMITE
        yield Eliminate(seat, None, dealt[seat - 1], cause)


@pytest.mark.slow
@pytest.mark.parametrize("players", [5, 6, 7])
@unhurried
@given(passive=st.integers(1, 7), reshuffled=st.integers(0, 6))
def test_high_noon_alone_ends_every_game(players: int, passive: int, reshuffled: int) -> None:
    timeline = BEGUN[players].timeline
    assert timeline is not None
    for turn in range(players * 8):
        if turn == reshuffled:
            for _ in range(3):
                timeline = after(timeline, Reshuffle())
            timeline = after(timeline, Abandon(SeatNo(passive)))
        while timeline.state.pending:
            timeline = after(timeline, next(answers(timeline.state)))
        if timeline.state.phase is Phase.ENDED:
            break
        timeline = after(timeline, EndTurn())
    assert timeline.state.phase is Phase.ENDED
    check_ended(timeline, players)


def test_each_reason_is_one_sentence_of_its_own() -> None:
    assert len({reason.value for reason in GameReason}) == len(GameReason)
    for reason in GameReason:
        assert reason.value.endswith((".", "the Rebel!")), reason
        assert reason.value[0] in "ABCDEFGHIJKLMNOPQRSTUVWXYZ{", reason


STORED = {
    "advantage-taken": "advantage",
    "agreement-waived": "seat",
    "agreement-withdrawn": "seat",
    "auction-opened": "keepers?",
    "bid-passed": "seat",
    "bid-raised": "seat bid",
    "call-reason-given": "reason",
    "cards-kept": "seat cards dollars",
    "character-chosen": "seat character offered?",
    "character-entered": "seat character",
    "character-healed": "seat character points?",
    "character-kept": "seat character price",
    "character-left": "seat",
    "character-nominated": "seat character bid queue",
    "character-out": "seat character excess?",
    "character-picked": "seat character",
    "character-taken": "seat character price",
    "character-won": "seat character price",
    "character-wounded": "seat character points?",
    "characters-revealed": "characters",
    "characters-turned-up": "characters",
    "clock-doubted": "left_s?",
    "clock-extended": "seconds",
    "clock-paused": "left_s",
    "clock-resumed": "paused_s",
    "clock-started": "",
    "deck-reshuffled": "count",
    "duel-turn-started": "seat",
    "duel-won": "winner because ruling?",
    "elimination-corrected": "seat by cause role reason",
    "ending-agreed": "seat",
    "ending-disputed": "seat",
    "event-card-shown": "card",
    "game-began": "life",
    "game-ended": "ending because ruled?",
    "game-resumed": "",
    "game-voided": "reason",
    "hand-annulled": "character",
    "high-noon-armed": "",
    "high-noon-began": "seat",
    "high-noon-called": "reason?",
    "high-noon-survived": "seat",
    "judge-answered": "",
    "judge-called": "",
    "last-life-saved": "seat rescue points?",
    "life-corrected": "seat life reason",
    "life-lost": "seat points?",
    "life-regained": "seat points?",
    "line-chosen": "seat front jailed?",
    "line-shown": "seat front rear",
    "nominator-called": "seat",
    "order-corrected": "seats reason",
    "player-abandoned": "seat ejected? offence? reason? *",
    "player-came-back": "seat card life",
    "player-checked-in": "seat",
    "player-eliminated": "seat by role cause turn effect is_earlier? same_card? *",
    "player-restored": "seat life reason",
    "player-warned": "seat offence reason",
    "rebel-revealed": "seat",
    "record-mode-set": "mode",
    "reshuffles-corrected": "count high_noon reason",
    "revolution-asked": "seat",
    "revolution-made": "seat points",
    "roles-dealt": "",
    "roles-declared": "roles",
    "sheet-confirmed": "how",
    "starter-drawn": "seat",
    "steps-redone": "steps",
    "steps-undone": "steps",
    "table-seated": "game tournament tournament_name rules round table seats match?",
    "taker-called": "seat",
    "turn-corrected": "seat high_noon reason",
    "turn-named": "seat",
    "turn-skipped": "seat why",
    "turn-started": "seat loses?",
    "turn-unknown": "",
    "turns-corrected": "seat turns reason",
    "turns-passed": "seats doubtful?",
    "wounds-carried": "seat points?",
}
"""The fields by tag. A question mark: may be missing. With a star, those with their default are left out."""


def stored_as(kind: type[msgspec.Struct]) -> tuple[object, str]:
    fields = [field.encode_name + ("" if field.required else "?") for field in msgspec.structs.fields(kind)]
    config = kind.__struct_config__
    return config.tag, " ".join([*fields, "*"] if config.omit_defaults else fields)


def test_every_event_is_stored_and_read_with_the_fields_that_it_always_had() -> None:
    assert dict(map(stored_as, get_args(GameEvent))) == STORED


def leaves(base: type) -> Iterator[type]:
    below: list[type] = base.__subclasses__()
    return (leaf for one in below for leaf in leaves(one)) if below else iter((base,))


def test_the_list_of_events_is_complete() -> None:
    assert set(get_args(GameEvent)) == set(leaves(Event))
