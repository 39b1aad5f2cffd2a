"""What a demonstration plays when nothing else is asked for: an edition, its options, its players."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

PLAYERS = Path(__file__).resolve().parents[1] / "examples" / "players-27.csv"
REBEL = "rebel"
_COUNTS = {"championship-2022": 27, "championship-2010": 22}
_ONE_GROUP = 5
_ONE_GROUP_WITH_REBEL = 10


@dataclass(frozen=True)
class Plan:
    """A tournament to be played. options: of the edition, by key. count: of the list's first players."""

    edition: str
    options: tuple[str, ...]
    players: Path
    count: int

    def player_list(self) -> bytes:
        """The players to register, as a CSV file."""
        rows = list(csv.reader(io.StringIO(self.players.read_text(encoding="utf-8-sig"))))
        text = io.StringIO()
        csv.writer(text).writerows(rows[: self.count + 1])
        return text.getvalue().encode()


def plan(edition: str, options: tuple[str, ...], players: Path | None, count: int | None) -> Plan:
    """The plan for what was asked; players or a count that nobody named follow from the edition."""
    if count is None and players is None:
        one_group = _ONE_GROUP_WITH_REBEL if REBEL in options else _ONE_GROUP
        count = _COUNTS.get(edition, one_group)
    listed = players or PLAYERS
    everybody = len(listed.read_text(encoding="utf-8-sig").splitlines()) - 1
    return Plan(edition, options, listed, everybody if count is None else min(count, everybody))
