"""Rules of the game itself, in sentences."""

from typing import assert_never

from saloon.core.editions.edition import Edition, HighNoonStarter
from saloon.core.game.play.high_noon import reshuffles_to_high_noon
from saloon.core.game.setup.characters import Character
from saloon.core.game.state import GameState
from saloon.core.rule_set import OptionKey
from saloon.kiosk.i18n import Words


def turn(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a turn from draw! to discard."""
    del game
    _ = words.gettext
    ruthless = _("The Sheriff may not discard a BANG! that could have been played.")
    return (
        _("The Sheriff begins; the next turn is that of the player to the left who is still in play."),
        _("First draw! for Dynamite, then for Jail."),
        _("Then draw two cards, play as many as you like, but only one BANG!, and discard."),
        _("You may keep as many cards as you have life points."),
        *((ruthless,) if OptionKey.RUTHLESS_LAW in edition.chosen else ()),
        _("End turn, on the screen, starts the next player's turn."),
    )


def reshuffle(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the reshuffling of the deck, and the reason it is counted."""
    _ = words.gettext
    threshold = reshuffles_to_high_noon(len(game.seats), edition)
    announces = _("Number {count} announces High Noon at this table; the screen counts.")
    return (
        _("Shuffle when a card must be drawn and the deck is empty, draw! included; then touch Reshuffle."),
        *(() if threshold is None else (announces.format(count=threshold),)),
        _("Forgotten or touched too often? Undo it at once; later call the judge."),
    )


def high_noon(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the beginning and the effect of High Noon."""
    _ = words.gettext
    begins = _("No reshuffle begins it here; the judge may, at the time limit, with the next turn.")
    threshold = reshuffles_to_high_noon(len(game.seats), edition)
    if threshold is not None and edition.high_noon is not None:
        begins = _starter(edition.high_noon.starter, words).format(count=threshold)
    sid = _("Sid Ketchum may discard two cards instead of the Beer.")
    passive = _("A passive character loses none.")
    if edition.readings.high_noon_affects_passive:
        passive = _("A passive character loses it too, and nobody plays a Beer for it.")
    return (
        begins,
        _("From then on each loses a life point at the start of the own turn, before Dynamite and Jail."),
        _("A Beer may answer the loss of the last one, but not with two players left; a Missed! never."),
        *((sid,) if edition.readings.high_noon_sid_ketchum else ()),
        _("Nobody is rewarded or punished for who goes out so."),
        passive,
        _("It lasts to the end; more reshuffles change nothing."),
    )


def _starter(starter: HighNoonStarter, words: Words) -> str:
    _ = words.gettext
    match starter:
        case HighNoonStarter.SHERIFF:
            return _("Reshuffle number {count} announces it; it begins with the Sheriff's next turn.")
        case HighNoonStarter.AFTER_SHERIFF:
            return _(
                "Reshuffle number {count} announces it; it begins with the next turn after the Sheriff's."
            )
        case _:
            assert_never(starter)


def last_life(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the ways to save a player at no life points."""
    del game, edition
    _ = words.gettext
    return (
        _("At no life points you are out, unless Beers at once bring you back to 1."),
        _("Dynamite takes 3 of your 2 points: two Beers leave you 1; one is not enough."),
        _("A Beer has no effect with only two players left, nor with full life."),
        _("Only your own cards save you; a Missed! comes before the loss, not after it."),
        _("Sid Ketchum may discard two cards for a point, as with a Beer, but not while a card is resolved."),
    )


def elimination(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the consequences of an elimination."""
    del game
    _ = words.gettext
    reward = _("Who eliminates an Outlaw draws three cards, whatever the own role is.")
    cash = edition.options.cash_rewards
    if OptionKey.CASH_REWARDS in edition.chosen and cash is not None:
        reward = _("Who eliminates an Outlaw gets ${price} instead of three cards.").format(
            price=cash.dollars
        )
    penalty = _("A Deputy who eliminates the Sheriff loses ${price}.").format(price=edition.penalty)
    return (
        _("Who goes out shows the role card and discards all cards; Vulture Sam takes them, if in play."),
        reward,
        _("A Sheriff who eliminates a Deputy discards all cards, in hand and in front."),
        *((penalty,) if edition.penalty else ()),
        _("Dynamite and High Noon are nobody's: no reward and no penalty."),
        _("All that one card does is finished before anything else is asked."),
    )


def special_cases(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """List the cases of the characters that play at this table."""
    del edition
    playing = [seat.character for seat in game.seats if seat.character is not None]
    cases = ((character, character_case(character, words)) for character in Character)
    return tuple(
        f"{character.value}: {case}"
        for character, case in cases
        if case and (character in playing or not playing)
    )


def character_case(character: Character, words: Words) -> str:
    """Answer the common question about a character; "" for nothing.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    _ = words.gettext
    match character:
        case Character.BART_CASSIDY:
            return _("Hit by Dynamite and alive: a card for each point lost.")
        case Character.EL_GRINGO:
            return _("Hit by Suzy Lafayette's last card: she draws, you take that card, and she draws again.")
        case Character.JOURDONNAIS:
            return _("With a Barrel in play you may draw! twice against one BANG!.")
        case Character.SID_KETCHUM:
            return _(
                "Not while another card is being resolved; but your last point also out of turn, like a Beer."
            )
        case Character.SUZY_LAFAYETTE:
            return _(
                "A General Store or a Duel is finished first: you draw only if you have no card then. "
                "Against Slab you may draw after the first Missed!."
            )
        case Character.VULTURE_SAM:
            return _("As a Sheriff who eliminates a Deputy you discard everything, the Deputy's cards too.")
        case _:
            return ""


def rebel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the Rebel! and the Revolution."""
    del game, edition
    _ = words.gettext
    return (
        _("The Rebel! has to eliminate the Sheriff by the own hand, in the own turn: a Revolution."),
        _("Then the Rebel! is the Sheriff, with a life point more, also at most; a Jail is discarded."),
        _("All cards stay in hand, and a new turn begins at once."),
        _("Any other end of the Sheriff ends the game as ever."),
        _("Deputies who went out before have lost; the others are allies of the new Sheriff."),
        _("If Outlaws and Renegades are out while the Sheriff lives, the Law wins without the Rebel!."),
        _("The Rebel! may be shown in the own turn, after drawing; then a Deputy costs no cards."),
    )  # fmt: skip
