"""Strategies: tables at every point of their games, and halls that play fast or slowly."""

from hypothesis import strategies as st

from core.editions.loader import edition
from core.tournament.forecast import HallPace, learn_pace
from core.tournament.progress import GameKind, PlayedGame, TableProgress, game_kind

RULES = edition("championship-2022")
KINDS = tuple(
    game_kind(players, edition(key))
    for key, sizes in (("championship-2022", (5, 6, 7)), ("official-2003", (4, 5, 6, 7, 8)))
    for players in sizes
)


def kind(players: int = 6) -> GameKind:
    return game_kind(players, RULES)


def played(minutes: float, turns: int | None, players: int = 6) -> PlayedGame:
    return PlayedGame(kind(players), minutes, turns, is_whole=True)


@st.composite
def tables(draw: st.DrawFn, *, with_limit: bool | None = None) -> TableProgress:
    """A table before its first turn, in its game, or on paper."""
    of = draw(st.sampled_from(KINDS))
    minutes = draw(st.floats(0, 300))
    limit = draw(st.none() | st.floats(-30, 120)) if with_limit is None else None
    if with_limit:
        limit = draw(st.floats(-30, 120))
    if draw(st.booleans()):
        return TableProgress(of, minutes, in_play=draw(st.none() | st.just(of.players)), limit=limit)
    turns = draw(st.none() | st.integers(1, 250))
    reshuffles = draw(st.integers(0, 5))
    return TableProgress(
        kind=of,
        minutes=minutes,
        is_begun=True,
        in_play=draw(st.integers(2, of.players)),
        turns=turns,
        reshuffles=reshuffles,
        reshuffled_at=minutes * draw(st.floats(0, 1)) if reshuffles else 0.0,
        turns_since=draw(st.integers(0, turns or 30)),
        is_noon=draw(st.booleans()),
        limit=limit,
    )


@st.composite
def halls(draw: st.DrawFn) -> HallPace:
    """A hall with some games behind it."""
    games = draw(st.lists(st.tuples(st.floats(1, 200), st.none() | st.integers(5, 200)), max_size=8))
    return learn_pace([played(minutes, turns) for minutes, turns in games], ())
