"""Open questions about play: High Noon, eliminations, the time limit, the Rebel! and duels."""

from typing import Final

from core.characters import Character
from core.editions.edition import Edition
from core.text.sentence import (
    OpenQuestion,
    Reading,
    begins_high_noon_after_sheriff,
    brief,
    everyone,
    has_finals,
    has_high_noon,
    has_rebel,
    is_championship,
)

_ = str  # marks a text for the translation catalogues


def _has_unlisted_size(rules: Edition) -> bool:
    return rules.high_noon is not None and any(row.players not in rules.printed_sizes for row in rules.roles)


def _counts_eliminations(rules: Edition) -> bool:
    return rules.options.cash_rewards is not None or bool(rules.penalty)


QUESTIONS_OF_PLAY: Final = (
    OpenQuestion("high_noon_threshold", "D16", _has_unlisted_size,
        _("When does High Noon begin at table sizes that the document doesn't list?"), {
        "": Reading(
            _("As for the nearest size listed."),
            _("Other table sizes follow the nearest size listed here."),
        ),
    }),
    OpenQuestion("high_noon_dead_starter", "D10", has_high_noon,
        _("Who does High Noon begin with if the player after the Sheriff has been eliminated?"), {
        "next_living": Reading(
            _("With the next player still in play."),
            brief("If that player has been eliminated, High Noon begins with the next player still in play."),
        ),
    }),
    OpenQuestion("high_noon_trigger_in_starter_turn", "D11", has_high_noon,
        _("What if High Noon is called during the turn of the player it begins with?"), {
        "next_orbit": Reading(
            _("High Noon begins with that player's next turn."),
            brief("If High Noon is announced during that player's own turn, it begins with their next turn."),
        ),
    }),
    OpenQuestion("high_noon_starter_died", "D47", begins_high_noon_after_sheriff,
        _("What if the player who begins High Noon is eliminated in the turn that announces it?"), {
        "next_living": Reading(
            _("The next player after the Sheriff begins High Noon, even in the very next turn."),
            brief(
                "If that player is eliminated in that turn, High Noon begins with the next turn of the "
                "next player still in play, even if that follows at once."
            ),
        ),
        "next_orbit": Reading(
            _("High Noon begins after the Sheriff's next turn."),
            brief(
                "If that player is eliminated in that turn, High Noon begins after the Sheriff's next turn."
            ),
        ),
    }),
    OpenQuestion("high_noon_affects_passive", "D12", has_high_noon,
        _("Does High Noon take life points from a player who has left?"), {
        True: Reading(
            _("Yes, and a Beer can't be played against it."),
            brief("Players who have left lose the life point too, and can't use a Beer."),
        ),
        False: Reading(_("No."), brief("Players who have left don't lose the life point.")),
    }),
    OpenQuestion("high_noon_order", "D13", has_high_noon,
        _("What comes first at the start of a turn: High Noon, or Jail and Dynamite?"), {
        "first": Reading(
            _("High Noon."),
            brief("The life point is lost before the checks for Dynamite and Jail."),
        ),
    }),
    OpenQuestion("high_noon_beer", "D14", has_high_noon, _("When can a Beer be played against High Noon?"), {
        "last_point_only": Reading(
            _("Only when High Noon takes the last life point."),
            _("A Beer only works against the loss of the last life point."),
        ),
    }),
    OpenQuestion("high_noon_further_reshuffles", "D15", has_high_noon,
        _("Does another reshuffle during High Noon change anything?"), {
        "no_extra": Reading(_("No."), brief("Further reshuffles change nothing.")),
    }),
    OpenQuestion("high_noon_sid_ketchum", "D17", has_high_noon,
        _("Can Sid Ketchum discard two cards against High Noon?"), {
        True: Reading(
            _("Yes, as with a Beer."),
            brief("Sid Ketchum can discard two cards instead of the Beer."),
        ),
        False: Reading(_("No.")),
    }),
    OpenQuestion("sid_with_two_left", "D48", lambda rules: Character.SID_KETCHUM in rules.characters.deck,
        _("Can Sid Ketchum's two cards save him when only two players are left?"), {
        "allowed": Reading(
            _("Yes."),
            brief("With only two players left, Sid Ketchum's two cards still save his last life point."),
        ),
        "as_beer": Reading(
            _("No: they have no effect, like a Beer."),
            brief("With only two players left, Sid Ketchum's two cards have no effect, like a Beer."),
        ),
    }),
    OpenQuestion("simultaneous", "D07", everyone,
        _("When one card eliminates several players, when does the game end?"), {
        "end_of_effect": Reading(
            _("After the card's whole effect: all eliminations count."),
            brief(
                "Players eliminated by the same card are eliminated together; if they include the Sheriff "
                "and the last Outlaw, the Outlaws win."
            ),
        ),
        "elimination_order": Reading(
            _("At the first elimination that ends the game; the others don't count."),
            brief(
                "Players eliminated by the same card are eliminated one after another, and the first ending "
                "condition met counts."
            ),
        ),
    }),
    OpenQuestion("time_limit", "D09", everyone, _("What happens when the time limit is reached?"), {
        "no_winner": Reading(
            _("Nobody wins and no role is paid; cash rewards are kept."),
            brief("A game that ends at the time limit has no winner, and nobody is paid for their role."),
        ),
        "high_noon": Reading(
            _("High Noon begins at once, and the game is played to its end."),
            brief("At the time limit, High Noon begins and the game is played to the end."),
        ),
        "judge": Reading(
            _("The judge decides and says why."),
            brief("At the time limit, the judge decides who has won and gives a reason."),
        ),
    }),
    OpenQuestion("duel_elimination", "D35", _counts_eliminations,
        _("Who has eliminated a player who loses a Duel?"), {
        "": Reading(
            _("The other player in the Duel, no matter who played the card."),
            _(
                "Eliminations by Dynamite or High Noon pay no reward, and nor does eliminating the Rebel!; "
                "in a Duel, the other duellist gets the reward."
            ),
        ),
    }),
    OpenQuestion("revolution", "D38", has_rebel, _("When is the Sheriff's elimination a Revolution?"), {
        "": Reading(
            _("On the Rebel!'s own turn, if the Rebel! eliminated the Sheriff or nobody knows who did."),
            _(
                "If the Sheriff is eliminated on the Rebel!'s turn and nobody is known to have done it, it "
                "counts as a Revolution."
            ),
        ),
    }),
    OpenQuestion("further_revolutions", "D38", has_rebel,
        _("What if a Sheriff who came back as a Rebel! makes another Revolution?"), {
        "": Reading(
            _("The last one counts: Deputies who were out then and haven't come back since have lost."),
        ),
    }),
    OpenQuestion("short_duel_start", "D40", has_finals, _("Who starts a short duel?"), {
        "draw": Reading(_("It's drawn by lot."), brief("Draw lots for who starts.")),
        "better_placed": Reading(_("The higher-ranked player."), brief("The better-placed player starts.")),
    }),
    OpenQuestion("long_duel_excess", "D40", has_finals,
        _("In a long duel, what happens to wounds beyond a character's last life point?"), {
        "lost": Reading(_("Those wounds are lost."), brief("Wounds beyond the last life point are lost.")),
        "carried": Reading(
            _("The next character to enter takes those wounds."),
            brief("Wounds beyond the last life point carry over to the next character."),
        ),
    }),
    OpenQuestion("long_duel_beer", "S2", has_finals, _("Does a Beer work in a long duel?"), {
        "": Reading(_("No: only two players are left, however many characters are in play.")),
    }),
    OpenQuestion("long_duel_reinforcements", "S3", has_finals,
        _("In a long duel, does a Gatling also hit a character that enters while it is resolved?"), {
        "": Reading(_("No, only those in play when the card was played.")),
    }),
    OpenQuestion("long_duel_both_jailed", "S4", has_finals,
        _("In a long duel, what if both of a player's characters are in Jail?"), {
        "": Reading(
            _("Each character draws! alone; if both stay in Jail, the turn is skipped and nobody moves."),
        ),
    }),
    OpenQuestion("no_show", "S1", is_championship, _("What if a player doesn't come to the table?"), {
        "": Reading(_("The seat stays: the character is in play, passive, as if the player had left.")),
    }),
)  # fmt: skip
