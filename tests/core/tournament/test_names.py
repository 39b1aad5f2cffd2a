"""Names that nobody could read are refused, whichever way they come."""

import pytest
from tests.core.tournament.conftest import Judge

from saloon.base.errors import Refused
from saloon.core.terms import PlayerId
from saloon.core.tournament.commands import RegisterPlayers, RenamePlayer
from saloon.core.tournament.events import Player
from saloon.core.tournament.reasons import TournamentReason

BAD = [
    ("Zoe\0", TournamentReason.NAME_UNPRINTABLE),
    ("Zoe\x1b[31m", TournamentReason.NAME_UNPRINTABLE),
    ("\u202eZoe", TournamentReason.NAME_UNPRINTABLE),
    ("Z\u200boe", TournamentReason.NAME_UNPRINTABLE),
    ("\u200dZoe", TournamentReason.NAME_UNPRINTABLE),
    ("\u200d", TournamentReason.NAME_UNPRINTABLE),
    ("\u3164 \u2800", TournamentReason.EMPTY_NAME),
    ("x" * 81, TournamentReason.NAME_TOO_LONG),
]


@pytest.fixture(autouse=True)
def opened(judge: Judge) -> None:
    judge.opens(10)


@pytest.mark.parametrize(("name", "reason"), BAD)
def test_a_name_that_cannot_be_shown_is_refused(judge: Judge, name: str, reason: TournamentReason) -> None:
    for command in (
        RegisterPlayers((Player(PlayerId("p900"), name),)),
        RenamePlayer(judge.state.entrants[0].player, name, ""),
    ):
        with pytest.raises(Refused) as found:
            judge.does(command)
        assert found.value.reason is reason
        assert all(str(field).isprintable() for field in found.value.fields.values())


def test_a_club_that_cannot_be_shown_is_refused(judge: Judge) -> None:
    with pytest.raises(Refused) as found:
        judge.does(RegisterPlayers((Player(PlayerId("p900"), "Zoe", "Dodge\x1bCity"),)))
    assert found.value.reason is TournamentReason.NAME_UNPRINTABLE


def test_names_of_all_scripts_are_taken(judge: Judge) -> None:
    for number, name in enumerate(("Łukasz Ćwik", "Þórdís", "王小明", "Zoë", "x" * 80, "علی\u200cرضا"), 900):
        judge.does(RegisterPlayers((Player(PlayerId(f"p{number}"), name),)))
        assert judge.state.entrants[-1].name == name


def test_joining_letters_make_no_second_player_of_the_same_name(judge: Judge) -> None:
    judge.does(RegisterPlayers((Player(PlayerId("p900"), "علی\u200cرضا"),)))
    with pytest.raises(Refused) as found:
        judge.does(RegisterPlayers((Player(PlayerId("p901"), "علیرضا"),)))
    assert found.value.reason is TournamentReason.SAME_NAME


@pytest.mark.parametrize(
    ("count", "reason"),
    [(300_000, TournamentReason.TOO_MANY_PLAYERS), (19_000, TournamentReason.TOO_MANY_AT_ONCE)],
)
def test_more_players_than_an_entry_holds_are_refused_in_words(
    judge: Judge, count: int, reason: TournamentReason
) -> None:
    many = tuple(Player(PlayerId(f"q{n}"), f"Player {n}") for n in range(count))
    with pytest.raises(Refused) as found:
        judge.does(RegisterPlayers(many))
    assert found.value.reason is reason
