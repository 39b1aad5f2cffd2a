"""Keys for the content of pages, by which their forms and requests detect changes."""

import hashlib
from zlib import crc32

import msgspec

from core.tournament.state.tournament import TournamentState


def content_key(content: object) -> str:
    """Return a short hash of a page's content, by which its form detects changes."""
    return f"{crc32(msgspec.json.encode(content)):x}"


def shown_key(content: object) -> str:
    """Return a key for a page's content; the page sends it back and gets an answer only after a change."""
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


def rounds_key(state: TournamentState) -> str:
    return content_key([(drawn.round, drawn.attempt) for drawn in state.published_rounds])


def course_key(state: TournamentState) -> str:
    """Return a short hash of the draws, the finals and their end, but of no sheets."""
    draft, finals = state.pending_round, state.finals
    duels = [(duels.part, duels.attempt, duels.called_off) for duels in state.duels]
    pair = finals and finals.final_pair
    draft_key = draft and (draft.round, draft.attempt, draft.tables)
    broken = len(state.lots), len(state.one_on_ones)
    return content_key((state.attempts, draft_key, finals is None, pair, duels, broken, state.is_published))
