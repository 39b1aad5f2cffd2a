"""The organiser's prizes: who wins them, by which games, and what happens with equal figures."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame
from core.game.state.game import Cause, Elimination
from core.terms import Ending, MatchKind, PlayerId, Role, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import WithdrawPlayer
from core.tournament.prizes import Award, ChangePrizes, awards_of
from core.tournament.registration import RegisterPlayers, RemovePlayer, RenamePlayer
from core.tournament.standings.ranking import PublishRanking
from core.tournament.standings.standings import standings_of
from core.tournament.state.prizes import Prize, PrizeBasis, PrizeExclusion, PrizeGroup
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import Player, Waivers
from tests.core.tournament.conftest import ROLES, Judge, outlaws_won, time_was_up
from tests.core.tournament.test_finals import begins, won_by
from tests.examples import examples

SHERIFF = Prize("Best Sheriff", PrizeBasis.WON_AS_SHERIFF)
CLUB = Prize("Best club", group=PrizeGroup.CLUBS, best=3)
NEWCOMER = Prize("Best newcomer", group=PrizeGroup.NEWCOMERS)
P = PlayerId


def sheriff_won(round_no: Round, table: DrawnTable) -> FinishedGame:
    """The Sheriff shoots everybody who isn't a Deputy."""
    roles = ROLES[len(table.players)]
    others = [n for n, role in enumerate(roles, 1) if role not in {Role.SHERIFF, Role.DEPUTY}]
    shot = tuple(
        Elimination(SeatNo(seat), SeatNo(1), SeatNo(1), effect, Cause.PLAYER, roles[seat - 1])
        for effect, seat in enumerate(others, 1)
    )
    return FinishedGame(round_no.round, table.table, table.players, roles, shot, (), Ending.LAW_WINS)


@pytest.fixture
def played(judge: Judge) -> Judge:
    """Two rounds of ten players in clubs, in which only the Sheriffs at the first tables won."""
    judge.opens(waivers=Waivers(rounds=2))
    clubs = ("Torino", "Milano", "torino", "", "Milano", "Torino", "Roma", "Milano", "Torino", "Milano")
    judge.does(
        RegisterPlayers(tuple(Player(P(f"p{n:03}"), f"Player {n}", club) for n, club in enumerate(clubs, 1)))
    )
    for _ in range(2):
        first, *others = judge.publishes().tables
        judge.accepts(first, sheriff_won)
        for table in others:
            judge.accepts(table)
    judge.draws_lots()
    return judge


def awards(judge: Judge, *prizes: Prize, newcomers: Sequence[str] = ()) -> tuple[Award, ...]:
    state = replace(judge.state, prizes=prizes, newcomers=tuple(map(P, newcomers)))
    return awards_of(state, judge.rules)


def winners(award: Award) -> list[str]:
    return [one.club or one.player for one in award.winners]


def ranked(judge: Judge) -> list[str]:
    return [row.player for row in standings_of(judge.state, judge.rules).rows]


def test_the_best_sheriff_has_won_most_games_in_that_role_and_the_ranking_separates_equals(
    played: Judge,
) -> None:
    sheriffs = [drawn.tables[0].players[0] for drawn in played.state.published_rounds]
    (award,) = awards(played, SHERIFF)
    assert [one.player for one in award.candidates] == sorted(sheriffs, key=ranked(played).index)
    assert winners(award) == [award.candidates[0].player]
    first, second = award.candidates
    assert [(one.figure, one.place) for one in (first, second)] == [(1, 1), (1, 2)]
    assert first.rank.first < second.rank.first
    game = first.counted[0].games[0]
    drawn = played.state.published_rounds[game.round - 1]
    assert (game.table, game.figure) == (drawn.tables[0].table, 1)
    assert drawn.tables[0].players[0] == first.player


def test_eliminations_and_the_best_game_count_what_record_sheets_say(played: Judge) -> None:
    eliminated, best = awards(
        played, Prize("Sharpshooter", PrizeBasis.ELIMINATIONS), Prize("Best game", PrizeBasis.BEST_GAME)
    )
    state = played.state
    made = [
        sheet.result.players[one.by - 1]
        for drawn in state.published_rounds
        for sheet in drawn.sheets
        for one in sheet.result.eliminations
        if one.by
    ]
    for one in eliminated.candidates:
        assert one.figure == made.count(one.player) == sum(game.figure for game in one.counted[0].games)
    assert sum(one.figure for one in eliminated.candidates) == len(made)
    assert len(best.candidates) == 10
    assert all(len(one.counted[0].games) == 1 for one in best.candidates)


def test_the_best_club_adds_its_best_players_and_one_with_too_few_cannot_win(played: Judge) -> None:
    (award,) = awards(played, CLUB)
    totals = {row.player: row.final_score for row in standings_of(played.state, played.rules).rows}
    clubs = {entrant.player: entrant.club.casefold() for entrant in played.state.entrants}
    expected = {
        club: sum(sorted((totals[p] for p, own in clubs.items() if own == club), reverse=True)[:3])
        for club in ("torino", "milano")
    }
    assert {one.club.casefold(): one.figure for one in award.candidates} == expected
    assert winners(award)[0].casefold() == max(expected, key=lambda club: expected[club])
    assert all(len(one.counted) == 3 for one in award.candidates)


def test_players_without_a_win_still_make_up_a_club(played: Judge) -> None:
    (award,) = awards(played, replace(SHERIFF, group=PrizeGroup.CLUBS, best=4))
    winning = {drawn.tables[0].players[0] for drawn in played.state.published_rounds}
    clubs = {entrant.player: entrant.club.casefold() for entrant in played.state.entrants}
    expected = {clubs[player] for player in winning} & {"torino", "milano"}
    assert {one.club.casefold() for one in award.candidates} == expected


def test_newcomers_chosen_players_and_those_of_a_club_compete_among_themselves(played: Judge) -> None:
    new, chosen, club = awards(
        played,
        NEWCOMER,
        Prize("Best junior", group=PrizeGroup.CHOSEN, players=(P("p004"), P("p007"))),
        Prize("Best of Turin", group=PrizeGroup.ONE_CLUB, club="TORINO"),
        newcomers=("p002", "p005"),
    )
    order = ranked(played)
    assert winners(new) == [min(("p002", "p005"), key=order.index)]
    assert winners(chosen) == [min(("p004", "p007"), key=order.index)]
    assert [one.player for one in club.candidates] == sorted(
        ("p001", "p003", "p006", "p009"), key=order.index
    )


def test_a_player_wins_only_once_if_the_organiser_says_so(played: Judge) -> None:
    order = ranked(played)
    everyone = Prize("First", places=2)
    podium, fourth, fifth = awards(
        played,
        replace(everyone, name="Podium"),
        replace(everyone, name="Best of the rest", places=1, excluded=PrizeExclusion.PODIUM),
        replace(everyone, name="Next", places=1, excluded=PrizeExclusion.WINNERS),
    )
    assert [winners(one) for one in (podium, fourth, fifth)] == [order[:2], [order[3]], [order[4]]]
    assert [one.place for one in fifth.candidates[:5]] == [None, None, None, None, 1]


def test_a_player_who_has_left_cannot_win(judge: Judge) -> None:
    judge.opens(10, Waivers(rounds=2))
    judge.plays_round(sheriff_won)
    first = judge.state.published_rounds[0].tables[0].players[0]
    judge.does(WithdrawPlayer(first, "train"))
    assert first not in {one.player for one in awards(judge, SHERIFF)[0].candidates}


def test_losing_semifinalists_share_a_prize_as_they_share_their_place() -> None:
    judge = Judge(edition("championship-2010")).opens(10, Waivers(rounds=3))
    judge.plays_rounds()
    judge.draws_lots()
    begins(judge, MatchKind.LONG_DUEL)
    for table in (1, 2):
        judge.does(won_by(judge, table, 1))
    begins(judge)
    judge.does(won_by(judge, 1, 2, part=judge.finals.begun[-1].part))
    (award,) = awards(judge, Prize("Best four", places=3))
    assert [one.place for one in award.winners] == [1, 2, 3, 3]


@pytest.mark.parametrize(
    ("prizes", "reason"),
    [
        ((SHERIFF, replace(CLUB, name="best sheriff")), TournamentReason.PRIZE_TWICE),
        ((replace(SHERIFF, name=" "),), TournamentReason.EMPTY_NAME),
        ((replace(SHERIFF, places=0),), TournamentReason.PRIZE_OUT_OF_RANGE),
        ((replace(CLUB, best=21),), TournamentReason.PRIZE_OUT_OF_RANGE),
        ((Prize("Local", group=PrizeGroup.ONE_CLUB),), TournamentReason.NO_PRIZE_CLUB),
        ((Prize("A", group=PrizeGroup.CHOSEN, players=(P("p999"),)),), TournamentReason.UNKNOWN_PLAYER),
        (tuple(Prize(f"Prize {n}") for n in range(21)), TournamentReason.TOO_MANY_PRIZES),
        ((), TournamentReason.SAME_PRIZES),
    ],
)
def test_impossible_prizes_are_refused(
    judge: Judge, prizes: tuple[Prize, ...], reason: TournamentReason
) -> None:
    judge.opens(10)
    assert judge.refuses(ChangePrizes(prizes)) is reason


def test_prizes_change_at_any_time_until_publication_and_can_be_undone(played: Judge) -> None:
    played.does(ChangePrizes((SHERIFF,)))
    played.does(ChangePrizes((CLUB, SHERIFF)))
    played.does(UndoSteps(1, "a mistake"))
    assert played.state.prizes == (SHERIFF,)
    played.does(PublishRanking())
    assert played.refuses(ChangePrizes(())) is TournamentReason.RANKING_IS_PUBLIC
    assert played.decides_again()


def test_newcomers_are_recorded_with_the_ranking_only_if_a_prize_is_for_them(played: Judge) -> None:
    (without,) = played.does(PublishRanking(newcomers=(P("p001"),)))
    assert without == PublishRanking("Judge Roy")
    played.does(UndoSteps(1, "a prize was missing"))
    played.does(ChangePrizes((NEWCOMER,)))
    played.does(PublishRanking(newcomers=(P("p003"), P("p999"), P("p001"))))
    assert played.state.newcomers == ("p001", "p003")
    assert played.decides_again()


def test_a_removed_players_id_is_not_inherited_by_the_next_one(judge: Judge) -> None:
    judge.opens(3)
    judge.does(ChangePrizes((Prize("Best junior", group=PrizeGroup.CHOSEN, players=(P("p001"), P("p003"))),)))
    judge.does(RemovePlayer(P("p003")))
    assert judge.state.prizes[0].players == ("p001",)
    judge.does(RenamePlayer(P("p001"), "Anna", "Roma"))
    assert judge.state.prizes[0].players == ("p001",)


PRIZES = st.builds(
    Prize,
    st.just("Any"),
    st.sampled_from(PrizeBasis),
    st.sampled_from(PrizeGroup),
    st.sampled_from(PrizeExclusion),
    st.integers(1, 5),
    club=st.sampled_from(("A", "B")),
    players=st.sets(st.sampled_from([P(f"p{n:03}") for n in range(1, 11)])).map(tuple),
    best=st.integers(1, 4),
)


@pytest.mark.slow
@given(prizes=st.lists(PRIZES, max_size=4), chance=st.integers(0, 1 << 16))
@settings(max_examples=examples(30), deadline=None)
def test_every_prize_goes_to_the_best_who_may_win_it(prizes: list[Prize], chance: int) -> None:
    random = Random(chance)
    judge = Judge(edition("championship-2022")).opens(waivers=Waivers(rounds=2))
    clubs = [random.choice(("A", "B", "")) for _ in range(10)]
    judge.does(RegisterPlayers(tuple(Player(P(f"p{n:03}"), f"P {n}", c) for n, c in enumerate(clubs, 1))))
    for _ in range(2):
        for table in judge.publishes().tables:
            judge.accepts(table, random.choice((sheriff_won, outlaws_won, time_was_up)))
    judge.draws_lots()
    before: set[str] = set(ranked(judge)[:3])
    for award in awards(judge, *prizes, newcomers=("p001", "p002", "p003")):
        places = [one.place for one in award.candidates if one.place is not None]
        assert places == sorted(places)
        assert all(one.is_winner == ((one.place or 99) <= award.prize.places) for one in award.candidates)
        for one in award.candidates:
            assert one.figure == sum(each.figure for each in one.counted)
            assert award.prize.basis.is_money or one.figure > 0
        if award.prize.excluded is PrizeExclusion.WINNERS and award.prize.group is not PrizeGroup.CLUBS:
            assert before.isdisjoint(winners(award))
        before.update(one.player for one in award.winners if not one.club)
