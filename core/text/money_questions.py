"""Open questions about money: winnings, auctions, options and prizes."""

from typing import Final

from core.editions.edition import Edition
from core.editions.winnings_table import WinningsCase
from core.terms import Ending, Role
from core.text.sentence import OpenQuestion, Reading, brief, everyone, has_enlistment, has_finals, has_rebel

_ = str  # marks a text for the translation catalogues


def _pays_final_duel(rules: Edition) -> bool:
    return any(row.case is WinningsCase.LOST_FINAL_DUEL for row in rules.winnings)


def _pays_renegades_by_outlaw(rules: Edition) -> bool:
    return any(
        row.per_outlaw and row.role is Role.RENEGADE and row.ending is Ending.RENEGADE_WINS
        for row in rules.winnings
    )


def _may_auction(rules: Edition) -> bool:
    return rules.characters.auction is not None or rules.options.enlistment is not None


QUESTIONS_OF_MONEY: Final = (
    OpenQuestion("renegade_final_duel", "D08", _pays_final_duel,
        _("When does the Renegade count as having lost the final duel?"), {
        "footnote": Reading(
            _("When only the Sheriff and the Renegade were left, whatever eliminated the Renegade."),
            _("It doesn't matter what eliminated the Renegade in the final duel."),
        ),
        "strict": Reading(
            _("The same, but only if the Sheriff eliminated the Renegade."),
            _("The Sheriff must have eliminated the Renegade in the final duel."),
        ),
        "label": Reading(
            _("When the Sheriff eliminated the Renegade last, even if others were alive."),
            _(
                "The row also applies while others are still alive, if the Sheriff eliminated the Renegade "
                "last."
            ),
        ),
    }),
    OpenQuestion("two_renegades_final_duel", "D39",
        lambda rules: any(row.renegade > 1 for row in rules.role_rows),
        _("With two Renegades, who counts as having lost the final duel?"), {
        "": Reading(
            _("The last Renegade, if left alone with the Sheriff."),
            _("With two Renegades, the last one left alone with the Sheriff is the one in the final duel."),
        ),
    }),
    OpenQuestion("rebel_money", "D37", has_rebel, _("Who is paid as Sheriff after a Revolution?"), {
        "current_sheriff": Reading(
            _("The player who is Sheriff at the end."),
            _(
                "The player who is Sheriff at the end is paid as Sheriff; a Rebel! without a Revolution "
                "gets nothing."
            ),
        ),
    }),
    OpenQuestion("simplified_multiplier", "D34", _pays_renegades_by_outlaw,
        _("Where the table pays a winning Renegade for each Outlaw, what is the amount multiplied by?"), {
        "outlaws": Reading(
            _("By the number of Outlaws at the start, as for the other roles."),
            _("A winning Renegade is also paid by the number of Outlaws."),
        ),
        "renegade_players": Reading(
            _("By the number of players at the start; for the others, by the number of Outlaws."),
            _("A winning Renegade is paid by the number of players, as printed in that row."),
        ),
        "players": Reading(
            _("By the number of players at the start, for all roles."),
            _("Amounts are multiplied by the number of players, as the table says."),
        ),
        "printed": Reading(
            _(
                "By the number of Outlaws for the Law, as in the example; by the number of players for the "
                "others."
            ),
            _(
                "The Law is paid by the number of Outlaws, as in the example; the others by the number of "
                "players, as printed."
            ),
        ),
    }),
    OpenQuestion("simplified_eliminated", "D34",
        lambda rules: any(row.per_eliminated for row in rules.winnings),
        _("Which winners are paid for each eliminated player?"), {
        "alive": Reading(
            _("Those still alive at the end."),
            _("Part E is paid to winning Outlaws and to a winning Renegade just as it is to the Law."),
        ),
        "law_alive": Reading(
            _("Only the Sheriff and Deputies still alive."),
            _("Only the Sheriff and Deputies still alive get it, as in the document's example."),
        ),
        "all": Reading(
            _("All of them, including eliminated ones."),
            _("All winners get it, including eliminated ones."),
        ),
    }),
    OpenQuestion("deputy_penalty_in_simplified", "D36", lambda rules: bool(rules.borrowed_deputy_penalty),
        _("Does the Deputy's penalty apply if the winnings table doesn't mention it?"), {
        True: Reading(_("Yes.")),
        False: Reading(_("No.")),
    }),
    OpenQuestion("ejected_money", "D41", everyone, _("What happens to the money of an ejected player?"), {
        "": Reading(
            _("It's kept, as when a player leaves."),
            _("An ejected player keeps the money won so far."),
        ),
    }),
    OpenQuestion("auction_broke_player", "D26", _may_auction,
        _("What if a player who has to put a character up for auction has no money?"), {
        "skipped": Reading(
            _("That player is skipped and takes a character after everyone else."),
            _("A player without money is skipped when it's their turn to choose a character."),
        ),
    }),
    OpenQuestion("auction_take_order", "D27", _may_auction,
        _("In what order do players without money take what's left?"), {
        "clockwise_from_sheriff": Reading(
            _("Clockwise from the Sheriff."),
            _("If several players have no money, they take theirs clockwise, starting from the Sheriff."),
        ),
    }),
    OpenQuestion("bid_order", "D32", has_enlistment,
        _("In which direction do the bidding and the choice of the next player go?"), {
        "clockwise": Reading(
            _("Clockwise."),
            brief(
                "Going left from there, each player raises or passes; once you pass, you're out for this "
                "character."
            ),
        ),
        "counterclockwise": Reading(
            _("Anticlockwise."),
            brief(
                "Going right from there, each player raises or passes; once you pass, you're out for this "
                "character."
            ),
        ),
    }, key="options.enlistment.auction.order"),
    OpenQuestion("next_nominator", "D32", has_enlistment, _("Who puts up the next character?"), {
        "from_winner": Reading(
            _("The next player after the one who won the last character."),
            brief("After the winner, the next player without a character puts one up."),
        ),
        "from_nominator": Reading(
            _("The next player after the one who put up the last character."),
            brief("The turn to put one up then passes to the next player without a character."),
        ),
    }, key="options.enlistment.auction.next_nominator"),
    OpenQuestion("bid_step", "D32", has_enlistment, _("By how much can a bid be raised?"), {
        "step": Reading(_("By any multiple of the step set in the file.")),
    }, key="options.enlistment.auction.step"),
    OpenQuestion("enlistment_insufficient_fee", "D32", has_enlistment,
        _("What if the player who takes the last character has less than its price?"), {
        "pay_what_you_have": Reading(
            _("The player pays what they have."),
            _("A player who can't pay the price of the last character pays what they have."),
        ),
    }),
    OpenQuestion("enlistment_in_score", "D32", has_enlistment,
        _("Does starting money left over from an enlistment count towards the score?"), {
        True: Reading(_("Yes."), _("Starting money left over counts towards the score.")),
        False: Reading(_("No.")),
    }),
    OpenQuestion("experience_cap", "D33", lambda rules: rules.options.experience is not None,
        _("How many cards can a player keep at most?"), {
        "next_game_starting_life": Reading(
            _("As many as the player's life points at the start of the next game."),
            _("The life points are those at the start of the next game."),
        ),
    }),
    OpenQuestion("prize_other_rounds", "D25", has_finals,
        _("What are the prizes after a number of rounds that the table doesn't list?"), {
        "linear": Reading(
            _("In proportion to the rounds actually played."),
            _("If a different number of rounds is played, prizes are paid in proportion."),
        ),
    }),
)  # fmt: skip
