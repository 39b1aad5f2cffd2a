"""Texts of the rules about the end of a game, leaving, warnings, time limits, and duels of the finals."""

from typing import assert_never

from core.editions.edition import Edition, Schedule, TieBreak, Waiver
from core.editions.readings import SidWithTwoLeft, Simultaneous, TimeLimit
from core.game.setup.role_counts import role_counts
from core.game.state import GameState
from core.terms import MatchKind
from kiosk.i18n import Words


def long_duel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a duel with five characters each, two in play."""
    del game
    _ = words.gettext
    return (
        _(
            "Ten characters lie face up. The better-placed player picks first, or starts; then "
            "take turns picking."
        ),
        _("Secretly stack your five in a fixed order; the top two enter, one in front and one at the rear."),
        _(
            "On your turn, resolve Jail and Dynamite first, then say who is in front; only that "
            "ability works."
        ),
        _(
            "A character hit at the rear reacts with its own ability. Front to front is distance "
            "1, to the rear 2."
        ),
        _("The next in the pile enters at the rear. Excess wounds are lost."),
        _("If you lose all five, you lose the duel."),
        *_sid_ketchum(edition, words),
    )


def short_duel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a duel with eight characters each, one in play."""
    del game
    _ = words.gettext
    return (
        _(
            "No Jail, no Wells Fargo. Eight characters each, face down; the top one plays. Draw "
            "lots for who starts."
        ),
        _("When a character has no life points left, the next one enters and takes any excess wounds too."),
        _("A Beer never heals: play it as BANG!, Missed!, Panic! or Cat Balou. A Saloon heals."),
        _("First to five eliminations with a lead of two wins; eight at most."),
        *_sid_ketchum(edition, words),
    )


def _sid_ketchum(edition: Edition, words: Words) -> tuple[str, ...]:
    if edition.readings.sid_with_two_left is SidWithTwoLeft.AS_BEER:
        return ()
    return (words.gettext("If Sid Ketchum discards two cards to keep his last point, enter nothing."),)


def leaving(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain what happens to the character of a player who leaves."""
    del edition
    _ = words.gettext
    back = _("Players who leave can't come back in this tournament.")
    if game.match is not MatchKind.GAME:
        return (_("A player who leaves before or during a duel loses it."), back)
    return (
        _("The hand is discarded and the character stays in play, passive, with no ability."),
        _(
            "It skips its turns, but still has to draw! for Dynamite and Jail. It plays nothing "
            "and uses no Barrel."
        ),
        _("It counts for distance and can be hit; the usual rewards and penalties apply."),
        _(
            "A Saloon gives it its life point. At a General Store it gets one of the cards left, "
            "which is discarded."
        ),
        _("It's paid according to its role and the result of the game."),
        back,
    )


def warnings(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the judge's penalties."""
    del game, edition
    _ = words.gettext
    return (
        _("The judge gives a warning or ejects at once; every case is recorded with its reason."),
        _("The second warning in a tournament means ejection. Ejection counts as leaving."),
        _(
            "Forbidden: showing your role, looking at others' hands, false information, advice, "
            "agreed results."
        ),
        _(
            "So are cheating, slow play, swearing, insults, threats, lying to the judge or "
            "contesting decisions."
        ),
    )


def time_limit(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain what happens when the time is up."""
    del game
    _ = words.gettext
    limit = _("The judge may set a time limit for a round; the screen counts the minutes.")
    if Waiver.TIME_LIMIT not in edition.waivers:
        limit = _("The rules set no limit; the judge may still end a game.")
    return (limit, _result(edition.readings.time_limit, words), _("Play on until the judge comes."))


def _result(reading: TimeLimit, words: Words) -> str:
    _ = words.gettext
    match reading:
        case TimeLimit.NO_WINNER:
            return _("A game that ends this way has no winner, and no role is paid.")
        case TimeLimit.HIGH_NOON:
            return _("High Noon begins with the next turn, and play continues.")
        case TimeLimit.JUDGE:
            return _("The judge rules who has won, and records the reason.")
        case _:
            assert_never(reading)


def ending(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain when the game ends and who wins."""
    _ = words.gettext
    together = edition.readings.simultaneous is Simultaneous.END_OF_EFFECT
    row = role_counts(len(game.seats), edition)
    finished = _(
        "A card is resolved in full first: if it eliminates the Sheriff and the last Outlaw, the Outlaws win."
    )
    several = _("With two Renegades, each plays for themselves.")
    dead = _("Eliminated players still win with their side.")
    return (
        _("The Law wins when all Outlaws and Renegades are out."),
        _("The Renegade wins if they're the only one left when the Sheriff falls."),
        _("In all other cases the Outlaws win when the Sheriff falls, even if they're all out."),
        *((finished,) if together else ()),
        *((several,) if row.renegade > 1 else ()),
        *((dead,) if edition.readings.eliminated_count_as_winners else ()),
    )


def record_sheet(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain how a result becomes final."""
    del game
    _ = words.gettext
    secret = _("Totals and rankings stay secret until the end; ask the judge for yours.")
    return (
        _("Don't put any cards away until the judge has seen the roles."),
        _(
            "Check your line: your role, whether you're in or out, and your winnings. The story "
            "shows how it came about."
        ),
        _("The judge confirms the sheet; after that, the table can no longer change it."),
        *((secret,) if edition.schedule is Schedule.CHART else ()),
    )


def ties(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """List the tie-breaks in the order in which they apply."""
    del game
    first = words.gettext("Ties are broken by these, in order:")
    lines = (f"{number}. {_tie(key, words)}" for number, key in enumerate(edition.tie_breaks, 1))
    return (first, *lines)


def _tie(key: TieBreak, words: Words) -> str:
    _ = words.gettext
    match key:
        case TieBreak.MAROGI:
            return _("Marogi: the average score of all opponents faced; higher is better.")
        case TieBreak.BUCHHOLZ:
            return _("Buchholz: the sum of the scores of all opponents faced; higher is better.")
        case TieBreak.MATCHES_WON:
            return _("Games won.")
        case TieBreak.WON_AS_SHERIFF:
            return _("Games won as Sheriff.")
        case TieBreak.WON_AS_RENEGADE:
            return _("Games won as Renegade.")
        case TieBreak.WON_AS_DEPUTY:
            return _("Games won as Deputy.")
        case TieBreak.WON_AS_OUTLAW:
            return _("Games won as Outlaw.")
        case TieBreak.TURNS_PLAYED:
            return _("Turns played.")
        case TieBreak.LOT:
            return _("The judge draws lots.")
        case _:
            assert_never(key)
