"""Texts for the terms of a winnings formula."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from core.editions.winnings_table import Counted


def _(text: str) -> str:
    return text


class TermWords(NamedTuple):
    """The texts of a term, to be translated.

    ``letter`` is the letter for players counted at the end of a game.
    """

    counted: str
    paid: str
    letter: str = ""


TERM_WORDS: Final[Mapping[Counted, TermWords]] = {
    Counted.OUTLAWS: TermWords(_("Outlaws at the start"), _("{money} for each Outlaw")),
    Counted.PLAYERS: TermWords(_("players at the start"), _("{money} for each player")),
    Counted.ELIMINATED: TermWords(
        _("players eliminated at the end"),
        _("{money} for each eliminated player, if alive at the end"),
        "E",
    ),
}
