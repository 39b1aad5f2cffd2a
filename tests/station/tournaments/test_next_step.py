"""The next step of a day: whoever follows it from the first player to the certificates is never refused."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.editions.edition import Schedule
from core.editions.loader import edition, editions
from core.game.result import FinishedDuel
from core.game.state.duel import DuelBecause
from core.terms import PlayerId, SeatNo
from core.tournament.decisions import TournamentDecision, why_not
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import RegisterPlayers
from core.tournament.sheets import AcceptDuel
from core.tournament.standings.ranking import DrawLots, PublishRanking, one_on_one_pairs
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Player, Stage, Waivers
from station.accounts.permissions import AccountRole, permissions_of
from station.text.i18n import words_in
from station.tournaments.next_step import DayFacts, NextStep, next_step
from tests.core.tournament.conftest import Judge, Play, outlaws_won, players, time_was_up
from tests.station.browser import Browser, logged_in_as, shows
from tests.station.conftest import OPEN, Station

HERE = f"/judge/t/{OPEN}"
KEYS = [known.key for known in editions()]


def look(
    judge: Judge,
    role: AccountRole = AccountRole.HEAD_JUDGE,
    *,
    confirmed: int = 0,
    on_paper: int = 0,
    sheets: int = 2,
) -> NextStep:
    """Return the step that an account of this role sees."""
    return next_step(
        DayFacts(
            judge.state,
            judge.rules,
            words_in("en"),
            permissions_of(role).__contains__,
            lambda decision: why_not(judge.state, decision, judge.rules),
            sheets=sheets,
            confirmed=confirmed,
            on_paper=on_paper,
        )
    )


def ready(key: str, count: int) -> Judge:
    judge = Judge(edition(key))
    waivers = None if judge.rules.schedule is Schedule.ONE_GROUP else Waivers(rounds=2)
    return judge.opens(count, waivers, unofficial=judge.rules.schedule is not Schedule.ONE_GROUP)


def wins_duels(judge: Judge) -> None:
    for duels, table in judge.state.open_duels:
        one, other = table.players
        result = FinishedDuel(
            duels.round, table.table, duels.kind, (one, other), SeatNo(1), (5, 1), DuelBecause.ELIMINATIONS
        )
        judge.does(AcceptDuel(table.game, result, Source.PAPER))


def chosen(decision: TournamentDecision, number: int) -> TournamentDecision:
    """Return the decision with a seed of its own, as the pages choose one."""
    if isinstance(decision, SealDraw | DrawLots):
        return replace(decision, seed=hashlib.sha256(str(number).encode()).hexdigest())
    return decision


def follow(judge: Judge, play: Play) -> list[type]:
    """Do what each step says until the ranking is public, and return the decisions."""
    path: list[type] = []
    while judge.stage() is not Stage.PUBLISHED:
        step = look(judge)
        assert step.refusal == "", step
        assert step.button is not None
        if step.decision is not None:
            judge.does(chosen(step.decision, len(judge.steps)))
            path.append(type(step.decision))
        elif judge.state.open_duels:
            wins_duels(judge)
        else:
            assert judge.stage() is Stage.PLAYING
            for _, table in judge.state.missing_sheets:
                judge.accepts(table, play)
    return path


@pytest.mark.parametrize("key", KEYS)
def test_following_each_step_leads_through_the_whole_day(key: str) -> None:
    judge = ready(key, 6 if edition(key).schedule is Schedule.ONE_GROUP else 10)
    path = follow(judge, outlaws_won)
    assert path[:3] == [SealDraw, MakeDraw, PublishDraw]
    assert path[-1] is PublishRanking
    assert (BeginDuels in path) == (PublishRoundsRanking in path) == judge.state.with_finals
    done = look(judge)
    assert done.button is not None
    assert done.button.url.endswith("paper=certificates")
    assert [link.text for link in done.others] == ["Ranking", "Proof pack", "Copy for the next tournament"]


@given(
    key=st.sampled_from(KEYS),
    count=st.integers(4, 24),
    leaving=st.lists(st.tuples(st.integers(0, 12), st.integers(0, 23)), max_size=6),
    play=st.sampled_from((outlaws_won, time_was_up)),
    role=st.sampled_from(AccountRole),
)
def test_no_step_offers_a_decision_that_the_rules_refuse(
    key: str, count: int, leaving: list[tuple[int, int]], play: Play, role: AccountRole
) -> None:
    judge = ready(key, count)
    for number in range(14):
        step = look(judge, role)
        if step.decision is not None:
            assert why_not(judge.state, step.decision, judge.rules) is None
        assert (step.decision is None) or (step.button is not None and not step.refusal)
        mine = look(judge)
        if mine.decision is not None:
            judge.does(chosen(mine.decision, number))
        elif judge.state.open_duels:
            wins_duels(judge)
        else:
            for _, table in judge.state.missing_sheets:
                judge.accepts(table, play)
        for _, place in (one for one in leaving if one[0] == number):
            still = judge.state.contenders
            leaves = WithdrawPlayer(still[place % len(still)].player, "ill") if still else None
            if leaves is not None and why_not(judge.state, leaves, judge.rules) is None:
                judge.does(leaves)


def test_ties_come_before_the_ranking_and_are_told_only_to_head_judges() -> None:
    judge = ready("championship-2022", 10)
    judge.plays_rounds()
    assert rounds_standings(judge.state, judge.rules).draw_groups
    step = look(judge)
    assert step.sentence.startswith("Everything has been played, but players are tied.")
    assert isinstance(step.decision, DrawLots)
    for role in (AccountRole.FLOOR_JUDGE, AccountRole.ORGANISER):
        other = look(judge, role)
        assert (other.is_for_head_judge, other.button, other.refusal) == (True, None, "")
        assert "tied" not in other.sentence
    judge.draws_lots()
    assert look(judge).decision == PublishRanking()


def test_a_one_on_one_of_tied_players_leads_to_the_floor() -> None:
    judge = Judge(edition("official-2003")).opens(7).plays_rounds()
    ((one, other),) = one_on_one_pairs(rounds_standings(judge.state, judge.rules), judge.rules)
    judge.does(BeginDuels.of_tie((one, other), judge.rules.duel_modes[0], "1" * 64))
    step = look(judge, on_paper=1)
    assert step.button is not None
    assert step.button.url.endswith("/floor")
    assert [link.url.rpartition("/")[2] for link in step.others] == ["print?paper=duel-sheets"]


def test_too_few_players_are_registered_first() -> None:
    judge = Judge(edition("championship-2022")).opens()
    assert look(judge).sentence.startswith("Register the players")
    judge.does(RegisterPlayers(players(9)))
    assert look(judge).hint
    judge.does(RegisterPlayers((Player(PlayerId("late"), "Zoe"),)))
    assert isinstance(look(judge).decision, SealDraw)


def test_a_draft_that_is_out_of_date_says_what_is_in_the_way() -> None:
    judge = Judge(edition("championship-2022")).opens(11)
    judge.draws_tables()
    judge.does(WithdrawPlayer(PlayerId("p011"), "ill"))
    step = look(judge)
    assert (step.decision, step.button and step.button.text) == (None, "See what's in the way")
    assert step.refusal


@pytest.mark.parametrize(
    ("confirmed", "on_paper", "first"),
    [(0, 0, "Go to the floor"), (0, 2, "Print record sheets"), (1, 1, "Enter 1 record sheet")],
)
def test_paper_is_printed_first_and_then_entered(confirmed: int, on_paper: int, first: str) -> None:
    judge = Judge(edition("championship-2022")).opens(10)
    judge.publishes()
    step = look(judge, confirmed=confirmed, on_paper=on_paper)
    assert step.button is not None
    assert step.button.text == first
    assert step.progress == (confirmed, 2)


def test_the_page_leads_a_day_on_paper(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    shows(judge.get(HERE), "Then seal the draw: Round 1")
    station.publishes()
    shows(judge.get(HERE), "2 tables play on paper", "Print record sheets")
    station.accepts_paper(1)
    shows(judge.get(HERE), "Enter 1 record sheet")
    station.accepts_paper(2)
    shows(judge.get(HERE), "players are tied")
    shows(logged_in_as(station, AccountRole.ORGANISER).get(HERE), "Ask a head judge", never="tied")
    station.publishes_ranking()
    shows(judge.get(HERE), "Print certificates", "Copy for the next tournament")
