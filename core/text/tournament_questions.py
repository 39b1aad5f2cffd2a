"""Open questions about tournaments: tables, players who leave, tie-breaks and the finals."""

from typing import Final

from core.editions.edition import Edition, Scoring, TieBreak
from core.text.sentence import (
    OpenQuestion,
    Reading,
    breaks_ties_by,
    brief,
    everyone,
    has_finals,
    is_championship,
    is_one_group,
)

_ = str  # marks a text for the translation catalogues


_OPPONENTS: Final = (TieBreak.MAROGI, TieBreak.BUCHHOLZ)
_ELIMINATED_WINNERS: Final = (
    TieBreak.MATCHES_WON, TieBreak.BUCHHOLZ, TieBreak.WON_AS_DEPUTY, TieBreak.WON_AS_OUTLAW,
)  # fmt: skip
"""Tie-breaks that can count eliminated winners; a tie after Buchholz may be read as broken by wins (D20)."""


def _is_average(rules: Edition) -> bool:
    return rules.scoring is Scoring.AVERAGE


QUESTIONS_OF_TOURNAMENTS: Final = (
    OpenQuestion("min_players", "D01", is_championship,
        _("What if there are fewer players than the smallest number in the table chart?"), {
        "block_with_override": Reading(
            _("The tournament doesn't start unless the judge declares it unofficial."),
            _("With fewer than {n} players, the judge can only open an unofficial tournament."),
        ),
    }),
    OpenQuestion("rounds_recomputed_on_withdrawal", "D04", is_championship,
        _("Does the number of rounds change when players leave?"), {
        False: Reading(
            _("No, it stays as set at the first draw."),
            _("The number of rounds stays as it was at the start."),
        ),
        True: Reading(_("Yes, the number is looked up again.")),
    }),
    OpenQuestion("below_min_mid", "D05", is_championship,
        _("What if too few players are left midway through the tournament?"), {
        "judge": Reading(
            _("The judge decides."),
            _(
                "If fewer than {n} players are left, groups of {sizes} play on at one table; with any other "
                "number, the tournament ends after the rounds already played."
            ),
        ),
    }),
    OpenQuestion("sheriff_repeat", "D06", is_championship,
        _("Who is Sheriff when too few players are left who have never been Sheriff?"), {
        "fewest_then_draw": Reading(
            _("The player who has been Sheriff least often; the draw decides ties."),
            brief(
                "If too few of the players left have never been Sheriff, lots are drawn among those who "
                "have been Sheriff least often."
            ),
        ),
    }),
    OpenQuestion("marogi_scores", "D18", breaks_ties_by(TieBreak.MAROGI),
        _("Which of the opponents' scores count for the Marogi?"), {
        "final_totals": Reading(
            _("Their final totals, before the bonus."),
            _("The opponents' scores are their final totals, before any bonus."),
        ),
        "common_matches": Reading(
            _("The money that they won in the games played together."),
            _("For the Marogi, opponents count with what they won in the games played together."),
        ),
    }),
    OpenQuestion("marogi_average", "D50", breaks_ties_by(TieBreak.MAROGI),
        _("For the Marogi, what is the sum of the opponents' scores divided by?"), {
        "per_opponent": Reading(
            _("By the number of opponents."),
            _("For the Marogi, the sum of the opponents' scores is divided by their number."),
        ),
        "per_match": Reading(
            _("By the number of matches."),
            _("The Marogi is the sum of the opponents' scores, divided by the number of matches."),
        ),
    }),
    OpenQuestion("tiebreak_opponents", "D19", breaks_ties_by(*_OPPONENTS),
        _("How many times does an opponent met twice count?"), {
        "per_encounter": Reading(_("Twice."), _("An opponent faced twice counts twice.")),
        "distinct": Reading(_("Once."), _("An opponent faced twice counts once.")),
    }),
    OpenQuestion("withdrawn_ranking", "D21", everyone, _("Where are players who left ranked?"), {
        "bottom": Reading(
            _("Below everyone else, without a rank."),
            _("Players who have left are ranked last, get no bonus and don't play in the finals."),
        ),
    }),
    OpenQuestion("withdrawn_count_for_opponents", "D21", breaks_ties_by(*_OPPONENTS),
        _("Do players who left count for their opponents' tie-breaks?"), {
        True: Reading(_("Yes.")),
        False: Reading(_("No.")),
    }),
    OpenQuestion("buchholz_further_tie", "D20", breaks_ties_by(TieBreak.BUCHHOLZ),
        _("What if players are still tied after Buchholz?"), {
        "draw": Reading(_("The judge draws lots.")),
        "matches_won": Reading(_("The player who won more matches comes first; then the judge draws lots.")),
    }),
    OpenQuestion("third_place", "D23", has_finals, _("Where do the two losing semifinalists finish?"), {
        "shared": Reading(
            _(
                "The losing semifinalists share third and fourth place; the one ranked higher after the "
                "rounds is listed first."
            ),
            _("The two players who lose the semifinals share third and fourth place."),
        ),
    }),
    OpenQuestion("finalist_replacement", "D24", has_finals, _("What if a finalist leaves?"), {
        "none": Reading(
            _("The opponent wins; nobody moves up."),
            _("Nobody moves up to replace a finalist."),
        ),
    }),
    OpenQuestion("rounding", "D29", _is_average,
        _("What happens to an average that isn't a whole number of dollars?"), {
        "half_up": Reading(
            _("It's rounded to the nearest dollar; halves are rounded away from zero."),
            _("Exactly half a dollar is rounded away from zero."),
        ),
    }),
    OpenQuestion("one_on_one", "D30", _is_average,
        _("What if exactly two players are still tied after everything has been counted?"), {
        "offered": Reading(
            _("The judge may let them play a one-on-one game; otherwise lots are drawn."),
            _(
                "The document doesn't include the rules for two players: they play one of the 2010 duels, "
                "or as the judge says."
            ),
        ),
    }),
    OpenQuestion("turns_played", "D31", breaks_ties_by(TieBreak.TURNS_PLAYED),
        _("Which turns count as played?"), {
        "played": Reading(
            _("Turns actually played; turns skipped because of Jail or after leaving don't count."),
            _("Turns skipped because of Jail, or after leaving, don't count as played."),
        ),
    }),
    OpenQuestion("eliminated_count_as_winners", "D42", breaks_ties_by(*_ELIMINATED_WINNERS),
        _("Does an eliminated player on the winning side count as having won the match?"), {
        True: Reading(_("Yes."), brief("Eliminated players still win with their side.")),
        False: Reading(_("No.")),
    }),
    OpenQuestion("above_chart", "D02", is_championship,
        _("How are players seated if there are more than the table chart lists?"), {
        "fives_first": Reading(
            _("At as many of the smallest tables as possible; those left over join them."),
            _(
                "With more than {n} players, make as many tables of {small} as possible; each player left "
                "over joins one of them to make {large}."
            ),
        ),
        "fewest_tables": Reading(
            _("At as few tables as possible, as equal as possible."),
            _("With more than {n} players, make as few tables as possible, as equal as possible."),
        ),
    }, key="tables.above_chart"),
    OpenQuestion("bonus_ties", "D22", lambda rules: bool(rules.bonus),
        _("What if players are tied for the last place that gets a bonus?"), {
        "": Reading(
            _("Places 1 to 4 are strict: lots decide if nothing else does, so there are exactly four."),
            _("The bonus never changes the ranking; a tie for the last bonus is broken by drawing lots."),
        ),
    }),
    OpenQuestion("group_leaver", "D43", is_one_group, _("What if a player leaves the group?"), {
        "": Reading(
            _("Scores are averages of the games played; the others are Sheriff equally often."),
            _("If a player leaves the group, the judge scores everyone on the games played so far."),
        ),
    }),
    OpenQuestion("tables_of_four", "D44", lambda rules: rules.may_have_tables_of_four,
        _("Can a tournament go on with 8 or 9 players left?"), {
        "": Reading(
            _(
                "The tournament ends, or the judge allows tables of 4 with a reason, and enters or "
                "confirms what they pay."
            ),
            _(
                "If 8 or 9 players are left, the judge may allow tables of 4, with a reason and with the "
                "amounts that they pay; the document itself doesn't allow them."
            ),
        ),
    }),
    OpenQuestion("several_groups", "D46", is_one_group,
        _("What if there are more players than fit at one table?"), {
        "": Reading(
            _(
                "Groups that differ by at most one play a series of games each; one ranking by average for "
                "all."
            ),
            _("All groups share one ranking, as averages are comparable."),
        ),
    }),
    OpenQuestion("lower_ties", "S5", is_championship,
        _("Must ties below the first four places be broken too?"), {
        "": Reading(_("Yes, by lot if need be, before the ranking is published.")),
    }),
)  # fmt: skip
