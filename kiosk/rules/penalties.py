"""Rules of leaving, of warnings and of time, in sentences."""

from typing import assert_never

from saloon.core.editions.edition import Edition, Waiver
from saloon.core.editions.readings import TimeLimit
from saloon.core.game.match import MatchKind
from saloon.core.game.state import GameState
from saloon.kiosk.i18n import Words


def leaving(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the fate of a character whose player leaves."""
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
    """Explain the end of the time limit."""
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
