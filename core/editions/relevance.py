"""The readings that apply to an edition: nobody is asked about duels in one without duels."""

from collections.abc import Callable, Mapping
from typing import Final

from core.characters import Character
from core.editions.edition import Edition, HighNoonStarter, Schedule, Scoring, TieBreak
from core.editions.winnings_table import WinningsCase
from core.terms import Ending, Role

_OPPONENTS = {TieBreak.MAROGI, TieBreak.BUCHHOLZ}


def concerns(name: str, edition: Edition) -> bool:
    """Return whether a reading can make a difference in an edition, with any of its options."""
    return next((asks(edition) for prefix, asks in _ASKS.items() if name.startswith(prefix)), True)


def _has_high_noon(edition: Edition) -> bool:
    return edition.high_noon is not None


def _begins_high_noon_after_sheriff(edition: Edition) -> bool:
    return edition.high_noon is not None and edition.high_noon.starter is HighNoonStarter.AFTER_SHERIFF


def has_finals(edition: Edition) -> bool:
    """Return whether duels are played after the rounds."""
    return edition.finals is not None


def _is_average(edition: Edition) -> bool:
    return edition.scoring is Scoring.AVERAGE


def _may_auction(edition: Edition) -> bool:
    return edition.characters.auction is not None or edition.options.enlistment is not None


def _asks_opponents(edition: Edition) -> bool:
    return bool(_OPPONENTS & set(edition.tie_breaks))


def _counts_eliminated_winners(edition: Edition) -> bool:
    # A tie after Buchholz may be read as broken by matches won (D20).
    counted = {TieBreak.MATCHES_WON, TieBreak.BUCHHOLZ, TieBreak.WON_AS_DEPUTY, TieBreak.WON_AS_OUTLAW}
    return bool(counted & set(edition.tie_breaks))


def _pays_renegades_by_outlaw(edition: Edition) -> bool:
    return any(
        row.per_outlaw and row.role is Role.RENEGADE and row.ending is Ending.RENEGADE_WINS
        for row in edition.winnings
    )


def _pays_final_duel(edition: Edition) -> bool:
    return any(row.case is WinningsCase.LOST_FINAL_DUEL for row in edition.winnings)


def is_championship(edition: Edition) -> bool:
    """Return whether tables are drawn by a chart."""
    return edition.schedule is Schedule.CHART


def has_enlistment(edition: Edition) -> bool:
    """Return whether character enlistment is offered."""
    return edition.options.enlistment is not None


def counts_eliminations(edition: Edition) -> bool:
    """Return whether winnings can depend on who eliminated whom."""
    return edition.options.cash_rewards is not None or bool(edition.penalty)


_ASKS: Final[Mapping[str, Callable[[Edition], bool]]] = {
    "min_players": is_championship,
    "rounds_recomputed_": is_championship,
    "below_min_": is_championship,
    "sheriff_repeat": is_championship,
    "renegade_final_duel": _pays_final_duel,
    "sid_": lambda edition: Character.SID_KETCHUM in edition.characters.deck,
    "high_noon_starter_died": _begins_high_noon_after_sheriff,
    "high_noon_": _has_high_noon,
    "third_place": has_finals,
    "finalist_": has_finals,
    "prize_": has_finals,
    "short_duel_": has_finals,
    "long_duel_": has_finals,
    "rounding": _is_average,
    "one_on_one": _is_average,
    "turns_played": lambda edition: TieBreak.TURNS_PLAYED in edition.tie_breaks,
    "marogi_": lambda edition: TieBreak.MAROGI in edition.tie_breaks,
    "buchholz_": lambda edition: TieBreak.BUCHHOLZ in edition.tie_breaks,
    "tiebreak_opponents": _asks_opponents,
    "withdrawn_count_for_opponents": _asks_opponents,
    "eliminated_count_as_winners": _counts_eliminated_winners,
    "auction_": _may_auction,
    "enlistment_": has_enlistment,
    "experience_": lambda edition: edition.options.experience is not None,
    "rebel_": lambda edition: edition.options.rebel is not None,
    "simplified_multiplier": _pays_renegades_by_outlaw,
    "simplified_eliminated": lambda edition: any(row.per_eliminated for row in edition.winnings),
    "deputy_penalty_in_simplified": lambda edition: bool(edition.borrowed_deputy_penalty),
}
"""The condition for each group of readings, by the prefix of their names."""
