"""The chart of places stays in its picture, and has a line for each ranked player."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from core.terms import Dollars, PlayerId, RoundNo
from core.tournament.standings.round_by_round import PlayerRounds, RoundByRound
from core.tournament.standings.standings import Rank
from station.tournaments.places_chart import places_chart


@st.composite
def tournaments(draw: st.DrawFn) -> RoundByRound:
    """Places without ties in the last round, and with any group tied in earlier ones."""
    players, rounds = draw(st.integers(1, 200)), draw(st.integers(2, 8))
    columns = []
    for _ in range(rounds - 1):
        cut = draw(st.integers(0, players))
        order = draw(st.randoms(use_true_random=False)).sample(range(players), players)
        tied, alone = Rank(1, max(cut, 1)), [Rank(n, n) for n in range(1, players + 1)]
        columns.append([tied if at < cut else alone[at] for at in order])
    columns.append([Rank(n, n) for n in range(1, players + 1)])
    rows = tuple(
        PlayerRounds(PlayerId(f"p{at}"), column[-1], (Dollars(0),) * rounds, column, Dollars(0))
        for at, column in enumerate(zip(*columns, strict=True))
    )
    return RoundByRound(tuple(RoundNo(n) for n in range(1, rounds + 1)), rows, has_finals=False)


@given(tournaments())
def test_every_line_and_label_is_inside_the_picture(data: RoundByRound) -> None:
    names = {row.player: "N" * 70 for row in data.rows}
    chart = places_chart(data, names, tuple(map(str, data.rounds)))
    assert chart is not None
    players = [row.player for row in data.rows]
    assert [line.player for line in chart.lines] == [*reversed(players[5:]), *players[:5]]
    assert [line.place for line in chart.highlighted] == list(range(1, len(players[:5]) + 1))
    assert len({line.end for line in chart.lines}) == len(data.rows)
    for line in chart.lines:
        points = [tuple(map(float, point.split(","))) for part in line.parts for point in part.split()]
        assert len(points) == len(data.rounds)
        assert all(0 < x < chart.width and 0 < y < chart.height for x, y in points)
    labels = [line.label_y for line in chart.highlighted]
    assert len(labels) == min(5, len(data.rows))
    assert all(below - above >= 13 for above, below in itertools.pairwise(labels))
    assert max(labels) < chart.height


def test_nothing_is_drawn_for_a_single_round_or_without_anybody_ranked() -> None:
    one, left = Rank(1, 1), PlayerRounds(PlayerId("b"), None, (None, None), (None, None), Dollars(0))
    alone = RoundByRound((RoundNo(1),), (PlayerRounds(PlayerId("a"), one, (), (one,), Dollars(0)),), False)
    assert places_chart(alone, {PlayerId("a"): "A"}, ("1",)) is None
    both = RoundByRound((RoundNo(1), RoundNo(2)), (left,), False)
    assert places_chart(both, {PlayerId("b"): "B"}, ("1", "2")) is None


def test_a_line_is_broken_where_the_player_had_no_place() -> None:
    one = Rank(1, 1)
    row = PlayerRounds(PlayerId("a"), one, (), (one, None, one, one), Dollars(0))
    data = RoundByRound(tuple(RoundNo(n) for n in range(1, 5)), (row,), False)
    chart = places_chart(data, {PlayerId("a"): "A"}, ("1", "2", "3", "4"))
    assert chart is not None
    assert [len(part.split()) for part in chart.lines[0].parts] == [2]
    assert chart.lines[0].text == "A: 1 → – → 1 → 1"
