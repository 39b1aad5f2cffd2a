"""The file of a tournament prepared elsewhere: its proof pack, downloaded before the first draw."""

import io
from typing import Final

from base.errors import BadData, Refused
from core.proof.reading import PackFault, read_pack
from core.proof.verify import verify_pack
from core.tournament.draw.drawing import SealDraw
from core.tournament.registration import RegisterPlayers
from core.tournament.state.tournament import TournamentState
from station.text.reasons import FormReason

LARGEST_DRAFT: Final = 2 * 1024 * 1024
MOST_WORK: Final = 1_000_000
"""The most players times steps, as a step may look at all players."""
_MOST_FAULTS: Final = 20


class FaultyDraft(BadData):
    """The faults of a tournament's file, with their lines. more: number of faults that aren't listed."""

    def __init__(self, faults: list[PackFault]) -> None:
        super().__init__("file", "; ".join(map(str, faults[:_MOST_FAULTS])))
        self.faults = tuple(BadData(_place(fault), fault.problem) for fault in faults[:_MOST_FAULTS])
        self.more = max(0, len(faults) - _MOST_FAULTS)


def read_draft(content: bytes, most_work: int = MOST_WORK) -> TournamentState:
    """Return the tournament in a proof pack after verifying it. Blocks.

    Raises FaultyDraft, and Refused for no file, one that is too large, or one with a draw.
    """
    if not content or len(content) > LARGEST_DRAFT:
        raise Refused(FormReason.NO_DRAFT)
    pack = read_pack(io.BytesIO(content))
    events = [event for line in pack.station for event in line.step.events]
    players = sum(len(event.players) for event in events if isinstance(event, RegisterPlayers))
    if players * len(pack.station) > most_work:
        raise Refused(FormReason.NO_DRAFT)
    if pack.terminals or any(isinstance(event, SealDraw) for event in events):
        raise Refused(FormReason.DRAFT_IS_DRAWN)
    # The steps of an altered file aren't decided again, as they may be anything.
    if pack.faults:
        raise FaultyDraft([*pack.faults])
    verdict = verify_pack(pack)
    if verdict.faults or verdict.steps.timeline is None:
        raise FaultyDraft([*verdict.faults])
    return verdict.steps.timeline.state


def _place(fault: PackFault) -> str:
    return "file" if fault.line is None else f"line {fault.line}"
