"""Rules that are changed before the first draw, as often as the judge likes."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.loader import edition, editions, rules_of
from core.rule_set import AgreementForm, OptionKey, RecordMode, RuleSet, TablesOfFour
from core.terms import PlayerId, TournamentId
from core.tournament.decisions import TournamentDecision, decide, evolve
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import ChangeRules, OpenTournament, RegisterPlayers
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Player, TournamentState, Waivers
from tests.core.tournament.conftest import Judge

TOURNAMENT = TournamentId("open")


@st.composite
def changes(draw: st.DrawFn) -> ChangeRules:
    """Draw rules that a judge may choose: an edition with some of its options and waivers."""
    chosen: Edition = draw(st.sampled_from(editions()))
    options = draw(st.sets(st.sampled_from(chosen.offered))) if chosen.offered else set[OptionKey]()
    rules = RuleSet(
        chosen.key,
        tuple(option for option in OptionKey if option in options),
        mode=draw(st.sampled_from(RecordMode)),
        agreement=draw(st.sampled_from(AgreementForm)),
    )
    waivers = Waivers(
        time_limit_min=draw(st.sampled_from((None, 45))) if "time_limit" in _waivers(chosen) else None,
        cycles=draw(st.sampled_from((None, 2))) if chosen.is_one_group else None,
    )
    return ChangeRules(rules, waivers, unofficial=draw(st.booleans()))


def _waivers(chosen: Edition) -> set[str]:
    return {waiver.value for waiver in chosen.waivers}


def follow(state: TournamentState | None, *decisions: TournamentDecision) -> TournamentState:
    """Return the state after decisions, without draws that the players do not fit."""
    for decision in decisions:
        sets_rules = isinstance(decision, OpenTournament | ChangeRules)
        rules = decision.rules if sets_rules else state.rules  # type: ignore[union-attr]  # open by then
        try:
            events = decide(state, decision, rules_of(rules), "Roy")
        except Refused as refused:
            if refused.reason in _LEFT_OUT:
                continue
            raise
        for event in events:
            state = evolve(state, event)
    assert state is not None
    return state


_LEFT_OUT = frozenset({
    TournamentReason.SAME_RULES,
    TournamentReason.BELOW_MINIMUM, TournamentReason.GROUP_SIZE, TournamentReason.OPTION_OF_ONE_GROUP,
    TournamentReason.NOTHING_SEALED, TournamentReason.NOTHING_DRAWN, TournamentReason.NO_TABLES,
})  # fmt: skip


def opening(made: ChangeRules) -> OpenTournament:
    return OpenTournament(
        TOURNAMENT, "Open", made.rules, "2026-11-20", made.waivers, unofficial=made.unofficial
    )


@given(st.lists(changes(), min_size=1, max_size=6), st.integers(5, 16))
def test_the_last_rules_count_as_if_the_tournament_had_been_opened_with_them(
    made: list[ChangeRules], count: int
) -> None:
    names = (Player(PlayerId(f"p{n:03}"), f"Player {n}") for n in range(count))
    joins = RegisterPlayers(tuple(names))
    draws = (SealDraw(seed=hashlib.sha256(b"x").hexdigest()), MakeDraw(hall_word="cactus"), PublishDraw())
    changed = follow(None, opening(made[0]), joins, *made[1:], *draws)
    assert changed == follow(None, opening(made[-1]), joins, *draws)


def test_rules_are_fixed_by_the_first_draw(judge: Judge) -> None:
    judge.opens(10).draws_tables()
    change = ChangeRules(RuleSet(judge.rules.key, mode=RecordMode.LIGHT), Waivers())
    assert judge.refuses(change) is TournamentReason.RULES_OF_A_SEALED_DRAW
    judge.does(PublishDraw())
    assert judge.refuses(change) is TournamentReason.RULES_ARE_FIXED


def test_waivers_of_new_rules_are_those_of_their_edition(judge: Judge) -> None:
    judge.opens(10, Waivers(rounds=2))
    chosen = edition("official-2003")
    with pytest.raises(Refused) as refused:
        decide(judge.state, ChangeRules(RuleSet(chosen.key), Waivers(rounds=2)), chosen, "Roy")
    assert refused.value.reason is TournamentReason.FEWER_GAMES_LATER


def test_tables_of_four_stay_allowed_as_long_as_their_amounts_fit(judge: Judge) -> None:
    judge.opens(10)
    four = TablesOfFour("rain", (100,) * len(judge.rules.winnings))
    state = replace(judge.state, rules=replace(judge.state.rules, tables_of_four=four))
    same = ChangeRules(RuleSet(judge.rules.key, mode=RecordMode.LIGHT), Waivers())
    assert follow(state, same).rules.tables_of_four == four
    assert follow(state, ChangeRules(RuleSet("official-2003"), Waivers())).rules.tables_of_four is None


def test_steps_are_decided_again_alike(judge: Judge) -> None:
    judge.opens(10)
    judge.does(
        ChangeRules(RuleSet(judge.rules.key, mode=RecordMode.LIGHT), Waivers(rounds=2), unofficial=True)
    )
    judge.plays_round()
    assert judge.decides_again()
