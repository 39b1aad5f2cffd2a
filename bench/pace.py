"""``python -m bench.pace``: forecasts of when simulated rounds end, compared with the real ends.

Seeds below a million are for calibration, those above for the published table.
"""

import os
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import click
import msgspec

from bench.rehearsed.rounds import ROUNDS_A_DAY, RehearsedRound, RehearsedTable, World, play_day
from core.editions.loader import rules_of
from core.terms import TableNo
from core.tournament.forecast import Forecast, forecast_round, learn_pace, remaining_time
from core.tournament.progress import GameCourse, PlayedGame, TableProgress, course_of, game_kind

PUBLISHED_SEED: Final = 1_000_000
MOMENTS: Final = (0.25, 0.5, 0.75)
HALF: Final = 0.5
WORLDS: Final[Mapping[str, World]] = {
    "usual": World(),
    "1.5 times slower": World(slower=1.5),
    "0.7 times as slow": World(slower=0.7),
    "one slow table": World(slow_table=1.5),
    "light games": World(light=1.0),
    "limit of 40 minutes": World(limit_min=40),
    "no pauses": World(paused=0.0, table_paused=0.0),
}
PAGE: Final = Path("docs") / "reference" / "performance.md"
_HELD: Final = tuple(f"held at {moment:.0%}" for moment in MOMENTS)
_HEAD: Final = (
    "world",
    "rounds",
    *_HELD,
    "minutes off at 50%",
    "tables",
    "held at 50%",
    "minutes off at 50%",
)
_KINDS: Final = ("kind", "ends", *_HELD, "minutes off")
_ROUNDING_MIN: Final = 0.5
"""The rounding error, as pages show whole minutes."""


class Outcome(msgspec.Struct, frozen=True):
    """A forecast compared with the real end.

    kind: edition, size and mode of a game; edition of a round.
    moment: the share of the round that was over.
    error: minutes by which the real end was later than forecast.
    at_start: the same for the forecast at the start of the round.
    is_last: whether the table that was expected to finish last did.
    """

    is_round: bool
    kind: str
    moment: float
    error: float
    is_held: bool
    at_start: float = 0.0
    is_last: bool = False


def forecast_day(seed: int, world: World) -> tuple[Outcome, ...]:
    """Return the results of all forecasts in a day's rounds; each round learns from earlier ones."""
    played: list[PlayedGame] = []
    found: list[Outcome] = []
    for shown in play_day(seed, world):
        start = _forecasts(shown, played, 0.0)[0]
        for moment in MOMENTS:
            found += _outcomes(shown, played, moment, start.minutes - shown.end)
        courses = (_course(table, shown, table.end) for table in shown.tables)
        played += [game for course in courses if course is not None and (game := course.played) is not None]
    return tuple(found)


def _outcomes(
    shown: RehearsedRound, played: Sequence[PlayedGame], moment: float, at_start: float
) -> Iterator[Outcome]:
    now = moment * shown.end
    whole, last, forecasts = _forecasts(shown, played, now)
    real_last = max(shown.tables, key=lambda table: table.end)
    whole_outcome = _outcome(shown.rules.edition, moment, whole, shown.end - now)
    yield msgspec.structs.replace(
        whole_outcome, is_round=True, at_start=at_start, is_last=last == real_last.table
    )
    for table in shown.tables:
        if table.table in forecasts:
            how = "paper" if table.is_on_paper else shown.rules.mode.value
            kind = f"{shown.rules.edition}, {table.players} players, {how}"
            yield _outcome(kind, moment, forecasts[table.table], table.end - now)


def _outcome(kind: str, moment: float, forecast: Forecast, end: float) -> Outcome:
    is_held = forecast.early - _ROUNDING_MIN <= end <= forecast.late + _ROUNDING_MIN
    return Outcome(False, kind, moment, end - forecast.minutes, is_held)


def _forecasts(
    shown: RehearsedRound, played: Sequence[PlayedGame], now: float
) -> tuple[Forecast, TableNo, Mapping[TableNo, Forecast]]:
    """Return the forecast of a round, the table expected last, and forecasts of all tables in play."""
    running: dict[TableNo, TableProgress] = {}
    over: list[PlayedGame] = []
    for table in shown.tables:
        if table.end <= now:
            course = _course(table, shown, now)
            over += [course.played] if course is not None and course.played is not None else []
        else:
            running[table.table] = _progress(table, shown, now)
    hall = learn_pace(played, running.values(), over)
    found = forecast_round({table: remaining_time(one, hall) for table, one in running.items()})
    assert found is not None  # a round ends with its last table
    return found.end, found.last, found.tables


def _progress(table: RehearsedTable, shown: RehearsedRound, now: float) -> TableProgress:
    playing = table.pauses.playing(now)
    limit = None if shown.limit_min is None else shown.limit_min - playing
    course = _course(table, shown, now)
    if course is None:
        return TableProgress(game_kind(table.players, rules_of(shown.rules)), playing, limit=limit)
    return course.progress(playing, limit)


def _course(table: RehearsedTable, shown: RehearsedRound, now: float) -> GameCourse | None:
    """Return the course of a game as known to the station at a minute of the round."""
    if table.is_on_paper:
        return None
    playing = table.pauses.playing(now)
    return course_of([one for one in table.log if one.minute <= playing], rules_of(shown.rules))


def forecast_days(days: int, seed: int, world: World, workers: int) -> tuple[Outcome, ...]:
    """Return the results of several days, beginning with a seed."""
    seeds = range(seed, seed + days)
    if workers == 1:
        return tuple(outcome for day in seeds for outcome in forecast_day(day, world))
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(partial(forecast_day, world=world), seeds, chunksize=4)
        return tuple(outcome for day in found for outcome in day)


def share_held(outcomes: Iterable[Outcome]) -> float:
    """Return the share of real ends within the forecast range."""
    return statistics.fmean(outcome.is_held for outcome in outcomes)


def minutes_off(outcomes: Iterable[Outcome]) -> float:
    """Return the median difference in minutes between expected and real ends."""
    return statistics.median(abs(outcome.error) for outcome in outcomes)


def table_of(found: Mapping[str, Sequence[Outcome]]) -> str:
    """Format the figures of all worlds as a Markdown table: rounds, then tables at half time."""
    rows: list[tuple[str, ...]] = [_HEAD, ("---", *("---:" for _ in _HEAD[1:]))]
    for name, outcomes in found.items():
        rounds = [one for one in outcomes if one.is_round]
        halves = [one for one in outcomes if one.moment == HALF]
        tables = [one for one in halves if not one.is_round]
        at = [[one for one in rounds if one.moment == moment] for moment in MOMENTS]
        held = [f"{share_held(ones):.0%}" for ones in at]
        off = f"{minutes_off(one for one in halves if one.is_round):.1f}"
        ends = (f"{len(tables):,}", f"{share_held(tables):.0%}", f"{minutes_off(tables):.1f}")
        rows.append((name, str(len(at[0])), *held, off, *ends))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def kinds_of(outcomes: Sequence[Outcome]) -> str:
    """Format the figures of each kind of round and game as a Markdown table."""
    rows: list[tuple[str, ...]] = [_KINDS, ("---", *("---:" for _ in _KINDS[1:]))]
    for kind in sorted({one.kind for one in outcomes}):
        ones = [one for one in outcomes if one.kind == kind]
        at = [[one for one in ones if one.moment == moment] for moment in MOMENTS]
        held = (f"{share_held(some):.0%}" if some else "" for some in at)
        rows.append((kind, str(len(at[0])), *held, f"{minutes_off(ones):.1f}"))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def remarks_on(outcomes: Sequence[Outcome]) -> str:
    """Describe how often the last table was predicted, and how good a forecast without game data is."""
    halves = [one for one in outcomes if one.is_round and one.moment == HALF]
    named = statistics.fmean(one.is_last for one in halves)
    before = statistics.median(abs(one.at_start) for one in halves)
    return (
        f"At half time, the table forecast to finish last did so in {named:.0%} of the usual rounds. "
        f"The median error at their start was {before:.1f} minutes."
    )


@click.command()
@click.option("--rounds", default=500, show_default=True, type=click.IntRange(min=ROUNDS_A_DAY))
@click.option("--seed", default=PUBLISHED_SEED, show_default=True, help="Of the first day.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(min=1))
@click.option("--write", is_flag=True, help=f"Put the table into {PAGE}.")
def main(rounds: int, seed: int, workers: int, *, write: bool) -> None:
    """Simulate rounds in several worlds and print how accurate the forecasts of their ends were.

    The first world gets all rounds, the others a third of them.
    """
    days = -(-rounds // ROUNDS_A_DAY)
    found = {
        name: forecast_days(days if name == "usual" else -(-days // 3), seed, world, workers)
        for name, world in WORLDS.items()
    }
    table = f"{table_of(found)}\n\n{remarks_on(found['usual'])}"
    print(f"{table}\n\n{kinds_of(found['usual'])}")
    if write:
        place = re.compile(r"(<!-- pace -->\n).*?(<!-- end of pace -->)", re.DOTALL)
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(place.sub(lambda match: match[1] + table + "\n" + match[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
