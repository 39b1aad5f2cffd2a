"""The picture of life points over the turns."""

from itertools import pairwise

from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.terms import GameId, SeatNo
from station.sheets.life_chart import LifeChart, life_chart
from tests.station.conftest import Station


def drawn(station: Station, game: GameId) -> LifeChart | None:
    return life_chart([timed.step for timed in station.service.story(game)])


def test_a_game_has_a_line_for_each_seat_and_a_mark_for_each_reshuffle(station: Station) -> None:
    station.opens(10)
    station.publishes()
    terminal = station.terminal(1)
    game = terminal.seats()
    terminal.ask(EndTurn(), LoseLife(SeatNo(2), 2), Reshuffle(), EndTurn(), EndTurn())
    terminal.sends()
    chart = drawn(station, game)
    assert chart is not None
    assert chart.turns == 4
    assert [line.seat for line in chart.lines] == [1, 2, 3, 4, 5]
    assert [len(line.points.split()) for line in chart.lines] == [4] * 5
    assert [tick.number for tick in chart.reshuffles] == [1]
    assert chart.noon_x is None
    heights = [float(point.split(",")[1]) for point in chart.lines[1].points.split()]
    assert heights[1] > heights[0]
    assert all(chart.top - 20 <= height <= chart.bottom for height in heights)


def test_there_is_no_chart_before_the_second_turn(station: Station) -> None:
    station.opens(10)
    station.publishes()
    terminal = station.terminal(1)
    game = terminal.seats()
    terminal.sends()
    assert drawn(station, game) is None
    assert life_chart([]) is None


def test_high_noon_is_shaded_from_its_first_turn(station: Station) -> None:
    station.opens(10)
    station.publishes()
    terminal = station.terminal(1)
    game = terminal.seats()
    terminal.ask(*(Reshuffle() for _ in range(3)), *(EndTurn() for _ in range(3)))
    terminal.sends()
    chart = drawn(station, game)
    assert chart is not None
    assert chart.noon_x is not None
    assert chart.left < chart.noon_x <= chart.right


def test_numbers_at_the_ends_of_lines_are_apart_and_high_noon_stays_in_the_picture(station: Station) -> None:
    station.opens(10)
    station.publishes()
    terminal = station.terminal(1)
    game = terminal.seats()
    terminal.ask(*(EndTurn() for _ in range(19)), *(Reshuffle() for _ in range(3)))
    terminal.ask(*(EndTurn() for _ in range(2)))
    terminal.sends()
    chart = drawn(station, game)
    assert chart is not None
    labels = sorted(line.label_y for line in chart.lines)
    assert all(below - above >= 14 for above, below in pairwise(labels))
    assert all(chart.top - 20 <= label <= chart.bottom for label in labels)
    assert chart.noon_x is not None
    assert chart.noon_anchor == "end"
    assert [tick.is_near for tick in chart.reshuffles] == [False]
