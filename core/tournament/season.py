"""A season: points over several tournaments, by a rule that the organiser writes as TOML.

Only published rankings count. Players are identified by name, compared by ``name_key``. If a tournament has a
name twice, the clubs and then the exact spelling distinguish them, in all tournaments. Names that are only
similar are asked about; the organiser's answers join or part people.
"""

import enum
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from base.toml_lines import load_toml
from core.editions.part import EditionFault, Part, explain_faults, negative_faults
from core.terms import TournamentId
from core.tournament.state.names import fold_name, likeness_keys, name_key, sound_key

USUAL_RULE: Final = """\
# Points of the first, second, third ... place of each tournament, and of all places after those.
places = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1]
other_places = 0
# Points of everybody who is in the ranking, whatever their place.
played = 1
# Points for each thousand dollars of the total.
per_thousand_dollars = 0
# "each": players who share places all get the points of the best of them; "mean": the mean of all.
shared = "each"
# How many of a player's best tournaments count; 0 for all of them.
best = 0
"""
_MOST_PLACES: Final = 1_000
_MOST_POINTS: Final = 1_000_000
_MOST_ALIKE: Final = 20
"""Larger groups of similar names are ignored; they are made up, and their pairs would fill the memory."""


class SharedPlaces(enum.Enum):
    """The points of players who share places."""

    EACH = "each"
    """Each player gets those of the best shared place."""
    MEAN = "mean"
    """Each player gets the mean of the shared places."""


class SeasonRule(Part, frozen=True, kw_only=True):
    """A rule for season points. ``USUAL_RULE`` explains each key."""

    places: tuple[int, ...]
    other_places: int = 0
    played: int = 0
    per_thousand_dollars: int = 0
    shared: SharedPlaces = SharedPlaces.EACH
    best: int = 0

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for negative numbers, and for points that increase with worse places."""
        yield from negative_faults(
            (name, getattr(self, name)) for name in ("other_places", "played", "per_thousand_dollars", "best")
        )
        for name in ("other_places", "played", "per_thousand_dollars", "best"):
            if getattr(self, name) > _MOST_POINTS:
                yield EditionFault((name,), f"is above {_MOST_POINTS}")
        for number, points in enumerate(self.places):
            if points > _MOST_POINTS:
                yield EditionFault(("places", number), f"is above {_MOST_POINTS}")
        if len(self.places) > _MOST_PLACES:
            yield EditionFault(("places",), f"names {len(self.places)} places; allowed are {_MOST_PLACES}")
        for number, (points, after) in enumerate(pairwise((*self.places, self.other_places))):
            if after > points:
                yield EditionFault(("places", number), f"is {points}, and the place after it gets {after}")

    def points(self, first: int, last: int, dollars: int) -> Fraction:
        """Return the points for sharing the places first to last, and winning a total of dollars."""
        places = range(first, last + 1) if self.shared is SharedPlaces.MEAN else (first,)
        of_places = [
            self.places[place - 1] if place <= len(self.places) else self.other_places for place in places
        ]
        money = Fraction(max(0, dollars) * self.per_thousand_dollars, 1000)
        return Fraction(sum(of_places), len(of_places)) + self.played + money


def read_season_rule(text: str) -> SeasonRule:
    """Return the rule defined by a TOML text. Raises BadData, with lines and keys of all faults.

    >>> read_season_rule("places = [3, 2, 1]").points(1, 2, 0)
    Fraction(3, 1)
    """
    where = "rule"
    try:
        data = load_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(where, f"this is not TOML: {error}") from error
    try:
        return msgspec.convert(data, SeasonRule, strict=True)
    except msgspec.ValidationError as error:
        faulty = explain_faults(where=where, text=text, data=data, kind=SeasonRule)
        raise faulty or BadData(where, str(error)) from error


class RankedPlayer(msgspec.Struct, frozen=True):
    """A row of a published ranking, with the first and last of the places shared."""

    name: str
    club: str
    first: int
    last: int
    dollars: int


class SeasonResult(msgspec.Struct, frozen=True):
    """A player's result in one tournament. counts: it is among their best ones. player: as written there."""

    tournament: TournamentId
    first: int
    last: int
    points: Fraction
    player: RankedPlayer
    counts: bool = True


class SeasonRow(msgspec.Struct, frozen=True):
    """A player's row in the season. rank: shared in case of a full tie."""

    rank: int
    name: str
    club: str
    points: Fraction
    results: Mapping[TournamentId, SeasonResult]


class Spelling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name as written. Without a club, or without a tournament, it is the name in all of them."""

    name: str
    club: str | None = None
    tournament: str | None = None


class SamePerson(msgspec.Struct, frozen=True, tag="same", forbid_unknown_fields=True):
    """An organiser's answer that two spellings are one person's. by: the judge."""

    first: Spelling
    second: Spelling
    by: str = ""


class OtherPerson(msgspec.Struct, frozen=True, tag="other", forbid_unknown_fields=True):
    """An organiser's answer that the second spelling is not the first one's person. by: the judge."""

    first: Spelling
    second: Spelling
    by: str = ""


PersonAnswer = SamePerson | OtherPerson
_Person = tuple[str, ...]
_Rankings = Mapping[TournamentId, Sequence[RankedPlayer]]


def season_ranking(
    rule: SeasonRule, rankings: _Rankings, answers: Sequence[PersonAnswer] = ()
) -> tuple[SeasonRow, ...]:
    """Return the season's ranking, best first: by points, then by the best places.

    answers: answers that can't be right, because the two play in the same tournament, are ignored.
    """
    results: dict[_Person, list[SeasonResult]] = defaultdict(list)
    latest: dict[_Person, RankedPlayer] = {}
    for person, tournament, player in _joined(rankings, answers):
        points = rule.points(player.first, player.last, player.dollars)
        results[person].append(SeasonResult(tournament, player.first, player.last, points, player))
        latest[person] = player
    sums = {person: _counted(rule, each) for person, each in results.items()}
    merits = {person: _merit(each) for person, each in sums.items()}
    order = sorted(sums, key=lambda person: (merits[person], person))
    rows, rank = list[SeasonRow](), 0
    for number, person in enumerate(order, 1):
        if number == 1 or merits[person] != merits[order[number - 2]]:
            rank = number
        by_tournament = {one.tournament: one for one in sums[person]}
        points = -merits[person][0]
        rows.append(SeasonRow(rank, latest[person].name, latest[person].club, points, by_tournament))
    return tuple(rows)


def qualifiers(rows: Sequence[SeasonRow], places: int) -> tuple[SeasonRow, ...]:
    """Return the players for the places of a final; all who share the last place qualify."""
    return tuple(row for row in rows if row.rank <= places)


def _joined(
    rankings: _Rankings, answers: Sequence[PersonAnswer]
) -> Iterator[tuple[_Person, TournamentId, RankedPlayer]]:
    """Yield each result with the key of its person."""
    by_name = _used_twice(rankings.values(), lambda one: (name_key(one.name),))
    by_club = _used_twice(rankings.values(), lambda one: (name_key(one.name), fold_name(one.club)))
    parted = [one for one in answers if isinstance(one, OtherPerson)]
    same = [one for one in answers if isinstance(one, SamePerson)]
    people = list[tuple[_Person, TournamentId, RankedPlayer]]()
    for tournament, players in rankings.items():
        for player in players:
            person: _Person = (name_key(player.name),)
            if person in by_name:
                person = (*person, fold_name(player.club))
            if person in by_club:
                person = (*person, *sound_key(player.name, ""))
            for other in parted:
                if name_key(other.first.name) == person[0] and _matches(other.second, tournament, player):
                    person = (*person, fold_name(other.second.club or ""), other.second.tournament or "")
            people.append((person, tournament, player))
    for answer in same:
        people = _with_joined(people, answer)
    return iter(people)


def _with_joined(
    people: list[tuple[_Person, TournamentId, RankedPlayer]], answer: SamePerson
) -> list[tuple[_Person, TournamentId, RankedPlayer]]:
    wanted = {
        person
        for person, tournament, player in people
        if any(_matches(one, tournament, player) for one in (answer.first, answer.second))
    }
    played = Counter(tournament for person, tournament, _ in people if person in wanted)
    if not wanted or max(played.values()) > 1:
        return people
    one = min(wanted)
    return [(one if person in wanted else person, at, player) for person, at, player in people]


def _matches(spelling: Spelling, tournament: TournamentId, player: RankedPlayer) -> bool:
    return (
        name_key(spelling.name) == name_key(player.name)
        and (spelling.club is None or fold_name(spelling.club) == fold_name(player.club))
        and spelling.tournament in {None, tournament}
    )


def people_to_ask_about(
    rankings: _Rankings, answers: Sequence[PersonAnswer] = ()
) -> tuple[tuple[RankedPlayer, RankedPlayer], ...]:
    """Return pairs that may be one person, as two names are similar, and that nobody has answered."""
    names = [[player.name for player in players] for players in rankings.values()]
    players = {name_key(player.name): player for each in rankings.values() for player in each}
    known = {frozenset((name_key(one.first.name), name_key(one.second.name))) for one in answers}
    return tuple(
        (players[name_key(one)], players[name_key(other)])
        for one, other in alike_names(names)
        if frozenset((name_key(one), name_key(other))) not in known
    )


def alike_names(tournaments: Iterable[Iterable[str]]) -> tuple[tuple[str, str], ...]:
    """Return pairs of names that may be one person's: similar, and never in the same tournament."""
    names: dict[str, str] = {}
    played, alike = defaultdict[str, set[int]](set), defaultdict[str, set[str]](set)
    for number, players in enumerate(tournaments):
        for name in players:
            person = name_key(name)
            names.setdefault(person, name)
            played[person].add(number)
            for key in likeness_keys(name):
                alike[key].add(person)
    few = (people for people in alike.values() if len(people) <= _MOST_ALIKE)
    pairs = {pair for people in few for pair in combinations(sorted(people), 2)}
    return tuple((names[a], names[b]) for a, b in sorted(pairs) if played[a].isdisjoint(played[b]))


def _counted(rule: SeasonRule, results: Sequence[SeasonResult]) -> tuple[SeasonResult, ...]:
    order = sorted(results, key=lambda one: (-one.points, one.first))
    kept = {one.tournament for one in order[: rule.best or None]}
    return tuple(replace(one, counts=one.tournament in kept) for one in results)


def _merit(results: Sequence[SeasonResult]) -> tuple[Fraction, tuple[int, ...]]:
    counted = [one for one in results if one.counts]
    # The sentinel ranks a player with one more place above one without it.
    places = (*sorted(one.first for one in counted), 10**9)
    return -sum((one.points for one in counted), Fraction(0)), places


def _used_twice(
    rankings: Iterable[Sequence[RankedPlayer]], key: Callable[[RankedPlayer], tuple[str, ...]]
) -> frozenset[tuple[str, ...]]:
    counts = (Counter(map(key, players)) for players in rankings)
    return frozenset(name for counter in counts for name, count in counter.items() if count > 1)
