"""The habits of players, as numbers: every assumption of the rehearsal's players is here.

Nobody has measured them; they were chosen so that whole games are as long, as bloody and as open as
people know them. ``python -m saloon.kiosk.rehearsal.game_statistics`` shows what they come to.
"""

import msgspec

Span = tuple[float, float]
"""From, to; anything between is as likely."""


class Habits(msgspec.Struct, frozen=True):
    """The habits of a table. Seconds are people's own; shares go from 0 to 1.

    thinks_s: from the start of a turn to its first card. card_s: from one touch to the next within a
    turn. ends_s: from the last card to the end of the turn. tempo: how much slower or quicker than
    others a whole table is. drawn: cards that a turn takes from the deck, likely numbers more than
    once. arms: share of the first round of turns in which nobody is hit, as nobody has a gun yet.
    hits: how many life points the cards of a turn take from others. all_at_once: share of turns with
    an Indians! or a Gatling, which everybody else may suffer. suffers: each of them.
    blows_up: share of turns that begin with an exploding Dynamite. drinks: share of turns with a Beer.
    saved_by_beer: share of last life points that a Beer saves. slips: share of wounds that are tapped
    at a wrong panel, seen, and undone. kept: cards that each player holds, or has lying in front.
    """

    thinks_s: Span = (10, 36)
    card_s: Span = (4, 12)
    ends_s: Span = (4, 14)
    tempo: Span = (0.85, 1.2)
    drawn: tuple[int, ...] = (2, 2, 2, 2, 2, 2, 3, 3, 4)
    arms: float = 0.6
    hits: tuple[int, ...] = (0,) * 13 + (1,) * 6 + (2,)
    all_at_once: float = 0.06
    suffers: float = 0.3
    blows_up: float = 0.006
    drinks: float = 0.14
    saved_by_beer: float = 0.35
    slips: float = 0.03
    kept: int = 5


USUAL = Habits()
