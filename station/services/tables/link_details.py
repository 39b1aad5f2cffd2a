"""The link of one terminal as the station sees it: one finding, and the counters of its cable."""

from saloon.station.terminals.problems import LinkHealth
from saloon.station.terminals.terminal_cards import TerminalCard, TerminalLink
from saloon.sync.diagnostics.cable import NOISY, damage
from saloon.sync.diagnostics.findings import Finding
from saloon.sync.link.counters import Counters

_FEW = 20
"""The number of frames from which on a share of damaged ones is meaningful."""


def link_look(card: TerminalCard, counters: Counters | None) -> LinkHealth:
    """Return the finding about a link for the judge. counters: of its cable, None without one."""
    if card.link is TerminalLink.AWAY:
        never = card.last_word_s is None
        return LinkHealth(card, Finding.NEVER_HEARD if never else Finding.WENT_AWAY, {})
    if counters is None:
        return LinkHealth(card, Finding.LINK_WELL, {})
    damaged, bits = damage(counters)
    seen = counters.frames_received + counters.frames_invalid
    if seen >= _FEW and damaged >= NOISY:
        return LinkHealth(card, Finding.NOISE, {"share": round(damaged * 100)}, counters, damaged, bits)
    return LinkHealth(card, Finding.LINK_WELL, {}, counters, damaged, bits)
