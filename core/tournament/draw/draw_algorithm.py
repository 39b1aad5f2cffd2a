"""The draw of a round: Sheriffs, tables and seats from a seed and a word from the hall.

The seed is sealed before the draw and published afterwards. docs/reference/draw.md explains the whole
procedure, with an example worked by hand.
"""

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from core.tournament.state.rounds import DrawnTable

Thing = TypeVar("Thing")

_SEED = re.compile(r"[0-9a-f]{64}")
_NUMBERS = 1 << 256
"""Number of possible SHA-256 values."""


def is_seed(text: str) -> bool:
    return _SEED.fullmatch(text) is not None


def seal_of(seed: str) -> str:
    return hashlib.sha256(seed.encode("ascii")).hexdigest()


def normalise_hall_word(word: str) -> str:
    return unicodedata.normalize("NFC", word).strip()


def numbers(seed: str, hall_word: str, label: str) -> Iterator[int]:
    """Yield a draw's endless sequence of numbers: number c, from 0, is SHA-256("seed:hall word:label:c").

    label: ``round/attempt`` for the draw of a round, ``lots`` for lots between tied players.
    """
    # The common prefix is hashed only once.
    copied = hashlib.sha256(f"{seed}:{hall_word}:{label}:".encode()).copy
    for counter in itertools.count():
        one = copied()
        one.update(b"%d" % counter)
        yield int.from_bytes(one.digest(), "big")


def lots(things: Sequence[Thing], count: int, source: Iterator[int]) -> tuple[Thing, ...]:
    """Draw ``count`` items at random, in the order drawn, by a Fisher-Yates shuffle from the front.

    Each pick takes one number from ``source``, unless only one item is left. To avoid modulo bias, numbers
    from the largest multiple of the remaining count upwards are discarded.
    """
    hat = list(things)
    for place in range(min(count, len(hat) - 1)):
        left = len(hat) - place
        number = next(source)
        # Check a cheap lower bound first, as the exact limit is slow to compute and rarely needed.
        while number >= _NUMBERS - left and number >= _NUMBERS - _NUMBERS % left:
            number = next(source)
        chosen = place + number % left
        hat[place], hat[chosen] = hat[chosen], hat[place]
    return tuple(hat[:count])


class Draw(msgspec.Struct, frozen=True):
    """The tables by number, and the players who are Sheriff again because too few others were left."""

    tables: tuple[DrawnTable, ...]
    repeated_sheriffs: tuple[PlayerId, ...]


class Candidate(msgspec.Struct, frozen=True):
    """A player to be drawn, and how often they were Sheriff in published rounds."""

    player: PlayerId
    times_sheriff: int


class DrawKey(msgspec.Struct, frozen=True):
    """The key of a draw, which fixes the result for given players and table sizes."""

    tournament: TournamentId
    round: RoundNo
    attempt: int
    seed: str
    hall_word: str


def game_id(tournament: TournamentId, round_no: RoundNo, attempt: int, table: TableNo) -> GameId:
    return GameId(f"{tournament}-r{round_no}-t{table}-a{attempt}")


def draw(key: DrawKey, candidates: Sequence[Candidate], sizes: Sequence[int]) -> Draw:
    """Draw a round: first one Sheriff for each table, then all others from seat 2 on.

    candidates: the players in the order of registration.
    sizes: the sizes of the tables by number; together they seat all candidates.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; too few who were never Sheriff: reading D06.
    """
    source = numbers(key.seed, key.hall_word, f"{key.round}/{key.attempt}")
    sheriffs = _sheriffs(candidates, len(sizes), source)
    seated = {sheriff.player for sheriff in sheriffs}
    others = [candidate.player for candidate in candidates if candidate.player not in seated]
    drawn = lots(others, len(others), source)
    tables, first = list[DrawnTable](), 0
    for number, (sheriff, size) in enumerate(zip(sheriffs, sizes, strict=True), start=1):
        seats = (sheriff.player, *drawn[first : first + size - 1])
        game = game_id(key.tournament, key.round, key.attempt, TableNo(number))
        tables.append(DrawnTable(TableNo(number), seats, game))
        first += size - 1
    return Draw(tuple(tables), tuple(sheriff.player for sheriff in sheriffs if sheriff.times_sheriff))


def draw_in_groups(key: DrawKey, groups: Sequence[Sequence[Candidate]]) -> Draw:
    """Draw the seats of fixed groups: the Sheriff of each, then the others.

    groups: the players of each table by number, in the order of registration; times_sheriff counts within
        the series.
    Source: Official Score System 2003; reading D46.
    """
    source = numbers(key.seed, key.hall_word, f"{key.round}/{key.attempt}")
    tables = []
    for number, group in enumerate(groups, start=1):
        (sheriff,) = _sheriffs(group, 1, source)
        others = [candidate.player for candidate in group if candidate is not sheriff]
        game = game_id(key.tournament, key.round, key.attempt, TableNo(number))
        seats = (sheriff.player, *lots(others, len(others), source))
        tables.append(DrawnTable(TableNo(number), seats, game))
    return Draw(tuple(tables), ())


def _sheriffs(candidates: Sequence[Candidate], tables: int, source: Iterator[int]) -> tuple[Candidate, ...]:
    drawn: list[Candidate] = []
    for times in sorted({candidate.times_sheriff for candidate in candidates}):
        hat = [candidate for candidate in candidates if candidate.times_sheriff == times]
        drawn.extend(lots(hat, min(len(hat), tables - len(drawn)), source))
    return tuple(drawn)


def lot_order(seed: str, groups: Sequence[Sequence[PlayerId]]) -> tuple[tuple[PlayerId, ...], ...]:
    """Order each tied group by lot, best first.

    groups: each in the order of registration.
    Source: Championship 2022/23 v1.4, 1.2 "End of the tournament and tie-breakers".
    """
    source = numbers(seed, "", "lots")
    return tuple(lots(group, len(group), source) for group in groups)
