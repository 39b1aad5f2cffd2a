"""Taking back a draw while tables play loses only what the judge gave up by name."""

import msgspec
import pytest

from core.game.ending.sheet import VoidGame
from core.game.events import GameStep
from core.game.orders import SeatGame, TakeGame, VoidTable
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.state.game import Phase
from core.terms import GameId, SeatNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import PublishDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.state.decision import Progress, VoidedGame
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.table_list import list_from
from kiosk.terminal.game_keeper import GameKeeper
from station.hall.hall_facts import voided_games, voided_stories
from tests.station.conftest import OPEN, Pair, ScriptedTerminal, Station, present


@pytest.fixture
def playing(station: Station) -> Pair:
    """Terminals of a tournament of ten: table 1 plays its second turn, table 2 waits for its players."""
    station.opens(10)
    pair = station.terminal(1), station.terminal(2)
    station.publishes()
    pair[0].starts(LoseLife(SeatNo(1), 1), EndTurn())
    return pair


def game_at(station: Station, table: int) -> GameId:
    return station.latest_round.tables[table - 1].game


def lost(station: Station, steps: int = 1) -> tuple[VoidedGame, ...]:
    return voided_games(station.context, OPEN, steps)


def voids(terminal: ScriptedTerminal, game: GameId) -> None:
    """Report that the order was carried out which clears the table."""
    terminal.writes(GameStep(game, (VoidGame("The draw was taken back."),), 3, 3))
    terminal.sends()


def test_a_publication_is_not_taken_back_while_a_table_plays(station: Station, playing: Pair) -> None:
    refusal = station.refuses(UndoSteps(1, "wrong list"))
    assert refusal.reason is TournamentReason.GAMES_WOULD_BE_VOID
    assert refusal.fields["tables"] == "1"
    assert [terminal.ordered(VoidTable) for terminal in playing] == [[], []]


def test_each_table_that_plays_is_given_up_by_name(station: Station, playing: Pair) -> None:
    first, other = game_at(station, 1), game_at(station, 2)
    assert lost(station) == (VoidedGame(lost(station)[0].round, TableNo(1), first, Progress.PLAYING, 2),)
    playing[1].starts()
    assert station.refuses(UndoSteps(1, "wrong list", confirmed=(first,))).fields["tables"] == "2"
    steps = len(playing[0].steps)
    station.does(UndoSteps(1, "wrong list", confirmed=(first, other)))
    assert [terminal.ordered(VoidTable)[-1].game for terminal in playing] == [first, other]
    undone = station.service.history(OPEN)[-1].events[0]
    assert isinstance(undone, UndoSteps)
    assert [(game.table, game.turn) for game in undone.voided] == [(1, 2), (2, 1)]
    playing[0].tells(VoidGame("The draw was taken back."))
    (story,) = voided_stories(station.context, first)
    assert len(story) == steps + 1


def test_what_the_browser_says_would_be_lost_is_not_believed(station: Station, playing: Pair) -> None:
    assert playing
    assert (
        station.refuses(UndoSteps(1, "wrong list", voided=())).reason is TournamentReason.GAMES_WOULD_BE_VOID
    )


def test_who_is_out_is_named(station: Station, playing: Pair) -> None:
    playing[0].ends()
    playing[0].sends()
    (game,) = lost(station)
    assert game.progress is Progress.OVER
    assert game.eliminated == (station.latest_round.tables[0].players[0],)


def test_accepted_sheets_of_the_draw_are_named_as_well(station: Station, playing: Pair) -> None:
    station.accepts_paper(2)
    assert lost(station, 1) == ()
    assert [(game.table, game.progress) for game in lost(station, 2)] == [
        (1, Progress.PLAYING),
        (2, Progress.ACCEPTED),
    ]
    assert station.refuses(UndoSteps(2, "wrong list")).fields["tables"] == "1, 2"
    # The acceptance alone can be taken back: no game is void by that.
    station.does(UndoSteps(1, "wrong sheet"))
    assert playing[0].ordered(VoidTable) == []


def test_a_terminal_that_is_away_may_play_unheard(station: Station) -> None:
    terminal = station.round_with_terminal()
    assert lost(station) == ()
    station.disconnects(terminal.id)
    (game,) = lost(station)
    assert (game.table, game.progress) == (1, Progress.UNKNOWN)
    assert station.refuses(UndoSteps(1, "wrong list")).fields["tables"] == "1"


def test_a_draw_on_paper_is_taken_back_at_once(station: Station) -> None:
    station.opens(10)
    station.publishes()
    assert lost(station) == ()
    station.does(UndoSteps(1, "wrong list"))


def carries_out(keeper: GameKeeper, terminal: ScriptedTerminal) -> list[GameStep]:
    """Return the entries that a real terminal writes when it carries out its orders."""
    bodies: list[bytes] = []
    for number, order in enumerate(terminal.orders, 1):
        bodies += keeper.carry_out(number, msgspec.msgpack.encode(order))
    return [msgspec.msgpack.decode(body, type=GameStep) for body in bodies]


def test_a_draw_that_is_published_again_seats_the_tables_again(station: Station) -> None:
    station.opens(10)
    terminal, keeper = station.terminal(1), GameKeeper()
    station.publishes()
    station.does(UndoSteps(1, "look again"))
    station.does(PublishDraw())
    for step in carries_out(keeper, terminal):
        terminal.writes(step)
    terminal.sends()
    assert keeper.game is not None
    assert (keeper.game.game, keeper.game.phase) == (game_at(station, 1), Phase.SEATING)
    assert lost(station) == ()


def test_what_was_played_is_not_merged_into_the_game_seated_again(station: Station, playing: Pair) -> None:
    game = game_at(station, 1)
    station.does(UndoSteps(1, "wrong list", confirmed=(game,)))
    voids(playing[0], game)
    station.does(PublishDraw())
    playing[0].tells(playing[0].ordered(SeatGame)[-1].seating)
    assert playing[0].ordered(TakeGame) == []
    card = station.service.floor(OPEN)[0]
    assert present(card.game).phase is Phase.SEATING
    assert card.late == ()


def test_a_spare_begins_a_draw_anew_that_is_published_again(station: Station, playing: Pair) -> None:
    game, spare = game_at(station, 1), station.terminal(None, "spare")
    station.does(UndoSteps(1, "wrong list", confirmed=(game,)))
    voids(playing[0], game)
    station.assigns(playing[0].id, None)
    station.assigns(spare.id, 1)
    station.does(PublishDraw())
    assert [order.seating.game for order in spare.ordered(SeatGame)] == [game]
    assert spare.ordered(TakeGame) == []


def test_the_same_draw_at_other_tables_is_played_and_counts(station: Station, playing: Pair) -> None:
    game, third = game_at(station, 1), station.terminal(3)
    station.does(UndoSteps(1, "wrong tables", confirmed=(game,)))
    voids(playing[0], game)
    station.does(MoveTables(tables=list_from(TableNo(3))))
    station.does(PublishDraw())
    waiting = station.service.floor(OPEN)[0]
    assert (waiting.table, waiting.game) == (3, None), "the game before it is nobody's at this table"
    third.starts(LoseLife(SeatNo(1), 1))
    assert [track.problem for track in station.context.projections.games[game]] == ["", ""]
    card = station.service.floor(OPEN)[0]
    assert card.game is not None
    assert (card.game.table, card.game.phase) == (3, Phase.PLAYING)
    assert card.late == ()


def test_what_was_played_before_is_no_lie_when_it_arrives_late(station: Station, playing: Pair) -> None:
    game = game_at(station, 1)
    playing[0].ask(LoseLife(SeatNo(2), 1))
    station.does(UndoSteps(1, "wrong tables", confirmed=(game,)))
    station.does(MoveTables(tables=list_from(TableNo(3))))
    station.does(PublishDraw())
    playing[0].sends()
    assert [track.problem for track in station.context.projections.games[game]] == [""]


def test_a_table_on_paper_shows_nothing_of_a_game_taken_back(station: Station, playing: Pair) -> None:
    game = game_at(station, 1)
    station.does(UndoSteps(1, "look again", confirmed=(game,)))
    voids(playing[0], game)
    station.does(PublishDraw())
    assert station.service.floor(OPEN)[0].game is None


@pytest.mark.parametrize("number", [1, 3])
def test_a_game_given_up_while_its_terminal_is_away_is_continued_by_no_other(
    station: Station, playing: Pair, number: int
) -> None:
    game = game_at(station, 1)
    playing[0].ask(LoseLife(SeatNo(2), 1))
    station.disconnects(playing[0].id)
    other = station.terminal(3 if number == 3 else None, "other")
    station.does(UndoSteps(1, "wrong draw", confirmed=tuple(one.game for one in lost(station))))
    if number == 3:
        station.does(MoveTables(tables=list_from(TableNo(3))))
    else:
        station.assigns(playing[0].id, None)
        station.assigns(other.id, 1)
    station.does(PublishDraw())
    assert other.ordered(TakeGame) == []
    other.starts()
    voids(playing[0], game)
    card = station.service.floor(OPEN)[0]
    assert card.game is not None
    assert (card.table, card.game.phase, card.late) == (number, Phase.PLAYING, ())
    assert card.game.seats[1].life == card.game.seats[1].max_life
