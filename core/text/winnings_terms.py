"""The terms of a winnings formula in words."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from saloon.core.editions.winnings_table import Counted


def _(text: str) -> str:
    return text


class TermWords(NamedTuple):
    """A term in words, to be translated. letter: for players that only the end of a game can count."""

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
