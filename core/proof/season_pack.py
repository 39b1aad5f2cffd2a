"""A verified proof pack as a season counts it: the published ranking, and the ejections for judges."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from base.errors import BadData
from core.editions.loader import rules_of
from core.game.state.offences import Offence
from core.proof.reading import PackFault, read_pack
from core.proof.verify import verify_pack
from core.terms import RoundNo, TournamentId
from core.tournament.penalties import unrecorded_departures
from core.tournament.season import RankedPlayer
from core.tournament.standings.standings import standings_of
from core.tournament.state.tournament import TournamentState

MOST_BYTES: Final = 64 * 1024 * 1024
MOST_LINES: Final = 200_000


class PackEjection(msgspec.Struct, frozen=True):
    """An ejected player of another station's tournament. round: their last one."""

    name: str
    club: str
    reason: str = ""
    offence: Offence | None = None
    round: RoundNo | None = None


class SeasonPack(msgspec.Struct, frozen=True):
    """The part of a valid pack that a season keeps.

    digest: the pack's, which its station may have announced.
    steps: the hash of each step of the judge. A later export of a tournament begins with the same ones.
    """

    digest: str
    name: str
    date: str
    players: tuple[RankedPlayer, ...]
    ejections: tuple[PackEjection, ...]
    steps: tuple[str, ...]

    @property
    def tournament(self) -> TournamentId:
        """An id that two stations never share, as the opening's hash covers its moment."""
        return TournamentId(self.steps[0][:16])


def read_season_pack(lines: Iterable[bytes], where: str) -> SeasonPack:
    """Verify a pack and return its part for a season.

    Raises BadData for the first fault, for a pack that is too large, and for a secret ranking.
    """
    pack = read_pack(_bounded(lines, where))
    verdict = verify_pack(pack)
    timeline = verdict.steps.timeline
    if verdict.faults or timeline is None:
        more = len(verdict.faults) - 1
        fault = verdict.faults[0] if verdict.faults else PackFault(None, "there is no step of the tournament")
        raise BadData(where, f"{fault}{f' (and {more:,} more)' if more > 0 else ''}")
    if not verdict.public:
        raise BadData(where, "its ranking isn't published yet")
    state = timeline.state
    return SeasonPack(
        pack.digest,
        state.name,
        state.date,
        tuple(ranked_players(state)),
        tuple(_ejections(state)),
        tuple(line.hash for line in pack.station),
    )


def ranked_players(state: TournamentState) -> Iterator[RankedPlayer]:
    """Yield the players of a tournament's ranking, best first; players who left aren't in it."""
    people = {entrant.player: entrant for entrant in state.entrants}
    for row in standings_of(state, rules_of(state.rules)).rows:
        if row.rank is not None:
            person = people[row.player]
            yield RankedPlayer(person.name, person.club, row.rank.first, row.rank.last, int(row.final_score))


class CountedPacks(msgspec.Struct, frozen=True):
    """The packs that count, each tournament once, oldest first; and those that contradict each other."""

    packs: tuple[SeasonPack, ...]
    contradicting: tuple[SeasonPack, ...]


def counted_packs(packs: Sequence[SeasonPack]) -> CountedPacks:
    """Return the latest pack of each tournament; if its packs contradict each other, none of them counts."""
    by_tournament: dict[TournamentId, list[SeasonPack]] = defaultdict(list)
    for pack in packs:
        by_tournament[pack.tournament].append(pack)
    counted, contradicting = list[SeasonPack](), list[SeasonPack]()
    for same in by_tournament.values():
        latest = max(same, key=lambda one: len(one.steps))
        if all(latest.steps[: len(one.steps)] == one.steps for one in same):
            counted.append(latest)
        else:
            contradicting += same
    return CountedPacks(tuple(sorted(counted, key=lambda one: one.date)), tuple(contradicting))


def _bounded(lines: Iterable[bytes], where: str) -> Iterator[bytes]:
    size = 0
    for number, line in enumerate(lines, 1):
        size += len(line)
        if size > MOST_BYTES or number > MOST_LINES:
            limit = f"{MOST_BYTES // 1024**2} MiB or {MOST_LINES:,} lines"
            raise BadData(where, f"it is too large; the limit is {limit}")
        yield line


def _ejections(state: TournamentState) -> Iterator[PackEjection]:
    for one in state.entrants:
        if one.ejected:
            yield PackEjection(one.name, one.club, one.out_reason, one.out_offence, one.out_after_round)
    for left in unrecorded_departures(state):
        entrant = state.entrant(left.player)
        if left.ejected and entrant is not None:
            yield PackEjection(left.name, entrant.club, round=left.round)
