"""The questions of a record sheet's form: only those that matter at a table under the tournament's rules."""

import msgspec

from core.characters import Character
from core.editions.edition import Edition, TieBreak, Waiver
from core.editions.readings import RenegadeFinalDuel
from core.game.state.game import Cause
from core.game.state.seats import role_counts
from core.rule_set import OptionKey, RecordMode
from core.terms import Dollars, Role


class SheetQuestions(msgspec.Struct, frozen=True):
    """The questions of one table's form.

    dealt: the role cards of all players but the Sheriff.
    is_light: a light game's sheet asks nothing that neither money nor ties need.
    causes: what can eliminate a player without an eliminator.
    eliminators: whether money depends on who eliminated whom.
    turns: whether it matters whose turn it was.
    prices: whether characters are for sale.
    characters: those for sale, if the sheet asks which one was bought.
    step: the increment of bids in dollars.
    card: dollars for each card kept, or 0 if none can be kept.
    turns_played: whether they decide ties.
    """

    dealt: tuple[Role, ...]
    is_light: bool
    causes: tuple[Cause, ...]
    eliminators: bool
    turns: bool
    prices: bool
    characters: tuple[Character, ...]
    step: Dollars
    card: Dollars
    turns_played: bool
    time_limit: bool

    @property
    def by(self) -> bool:
        """Return whether the sheet asks who eliminated whom."""
        return self.eliminators or not self.is_light

    @property
    def comebacks(self) -> int:
        """Return the number of rows for players brought back by event cards, which come with the Rebel!."""
        return 3 if Role.REBEL in self.dealt else 0

    @property
    def ending_roles(self) -> tuple[Role, ...]:
        """Return the roles without which a game is over, or none if that isn't certain, as with a Rebel!."""
        enemies = tuple(role for role in self.roles if role in {Role.OUTLAW, Role.RENEGADE})
        return () if Role.REBEL in self.dealt else enemies

    @property
    def roles(self) -> tuple[Role, ...]:
        return tuple(dict.fromkeys(self.dealt))

    @property
    def purse(self) -> bool:
        """Return whether players spend money at the table."""
        return self.prices or bool(self.card)


def sheet_questions(edition: Edition, players: int, mode: RecordMode) -> SheetQuestions:
    """Return the questions for a table of this size. Raises BadData if the rules have no such size."""
    counts = role_counts(players, edition)
    dealt = tuple(role for role in Role if role is not Role.SHERIFF for _ in range(counts.count(role)))
    experience = edition.options.experience
    with_rebel = Role.REBEL in dealt
    is_light, is_auctioned = mode is RecordMode.LIGHT, edition.auction is not None
    return SheetQuestions(
        dealt=dealt,
        is_light=is_light,
        causes=(Cause.DYNAMITE, *((Cause.HIGH_NOON,) if edition.high_noon else ())),
        eliminators=(
            with_rebel
            or OptionKey.CASH_REWARDS in edition.chosen
            or bool(edition.deputy_penalty)
            or edition.readings.renegade_final_duel is not RenegadeFinalDuel.FOOTNOTE
        ),
        turns=with_rebel,
        prices=is_auctioned,
        characters=edition.characters.deck if is_auctioned and not is_light else (),
        step=edition.auction.step if edition.auction is not None else Dollars(1),
        card=(
            experience.dollars
            if experience is not None and OptionKey.EXPERIENCE in edition.chosen
            else Dollars(0)
        ),
        turns_played=TieBreak.TURNS_PLAYED in edition.tie_breaks,
        time_limit=Waiver.TIME_LIMIT in edition.waivers,
    )
