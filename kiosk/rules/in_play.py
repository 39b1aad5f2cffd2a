"""Texts of the rules during the game."""

from core.characters import Character
from core.editions.edition import Edition, HighNoonStarter
from core.editions.readings import HighNoonStarterDied, SidWithTwoLeft
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.state.game import GameState
from core.rule_set import OptionKey
from kiosk.i18n import Words


def turn(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain a turn from draw! to discard."""
    del game
    _ = words.gettext
    ruthless = _("The Sheriff may not discard a BANG! that could have been played.")
    return (
        _("The Sheriff begins; play then passes to the next player on the left who's still in play."),
        _("First draw! for Dynamite, then for Jail."),
        _("Then draw two cards, play as many as you like, but only one BANG!, and discard."),
        _("You may keep as many cards as you have life points."),
        *((ruthless,) if OptionKey.RUTHLESS_LAW in edition.chosen else ()),
        _("Tap End turn on the screen to start the next player's turn."),
    )


def reshuffle(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain reshuffling the deck, and why reshuffles are counted."""
    _ = words.gettext
    threshold = reshuffles_to_high_noon(len(game.seats), edition)
    announces = _("Reshuffle number {count} announces High Noon at this table; the screen keeps count.")
    return (
        _("Reshuffle when you need a card and the deck is empty, even for draw!; then tap Reshuffle."),
        *(() if threshold is None else (announces.format(count=threshold),)),
        _("Forgot one, or tapped too often? Undo it at once; later, call the judge."),
    )


def high_noon(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain how High Noon begins and what it does."""
    _ = words.gettext
    begins = _("Reshuffles don't start it here; the judge may, at the time limit, from the next turn.")
    threshold = reshuffles_to_high_noon(len(game.seats), edition)
    if threshold is not None and edition.high_noon is not None:
        begins = _starter(edition, words).format(count=threshold)
    sid = _("Sid Ketchum may discard two cards instead of the Beer.")
    passive = _("A passive character loses none.")
    if edition.readings.high_noon_affects_passive:
        passive = _("A passive character loses one too, and nobody plays a Beer for it.")
    return (
        begins,
        _(
            "From then on, each player loses a life point at the start of their turn, before "
            "Dynamite and Jail."
        ),
        _("A Beer can save your last one, but not with only two players left; a Missed! never can."),
        *((sid,) if edition.readings.high_noon_sid_ketchum else ()),
        _("These eliminations bring no rewards or penalties."),
        passive,
        _("It lasts until the end; further reshuffles change nothing."),
    )


def _starter(edition: Edition, words: Words) -> str:
    _ = words.gettext
    if edition.high_noon is not None and edition.high_noon.starter is HighNoonStarter.SHERIFF:
        return _("Reshuffle number {count} announces it; it begins with the Sheriff's next turn.")
    if edition.readings.high_noon_starter_died is HighNoonStarterDied.NEXT_LIVING:
        return _(
            "Reshuffle number {count} announces it; it begins with the next turn of the first "
            "living player after the Sheriff."
        )
    return _("Reshuffle number {count} announces it; it begins with the next turn after the Sheriff's.")


def last_life(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain how a player without life points can be saved."""
    del game
    _ = words.gettext
    sid = _(
        "Sid Ketchum may discard two cards for a point, even with only two players left, but "
        "not while a card is being resolved."
    )
    if edition.readings.sid_with_two_left is SidWithTwoLeft.AS_BEER:
        sid = _(
            "Sid Ketchum may discard two cards for a point, like a Beer, but not while a card is "
            "being resolved."
        )
    return (
        _("With no life points left you're out, unless you play enough Beers at once to get back to 1."),
        _("Dynamite takes 3 when you have 2: two Beers leave you with 1; one isn't enough."),
        _("A Beer has no effect with only two players left, or at full life points."),
        _("Only your own cards can save you; a Missed! comes before the loss, not after it."),
        sid,
    )


def elimination(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain what follows from an elimination."""
    del game
    _ = words.gettext
    reward = _("If you eliminate an Outlaw, you draw three cards, whatever your role.")
    cash = edition.options.cash_rewards
    if OptionKey.CASH_REWARDS in edition.chosen and cash is not None:
        reward = _("If you eliminate an Outlaw, you get ${price} instead of three cards.").format(
            price=cash.dollars
        )
    penalty = _("A Deputy who eliminates the Sheriff loses ${price}.").format(price=edition.penalty)
    return (
        _(
            "Eliminated players show their role card and discard all cards; Vulture Sam takes "
            "them if he's in play."
        ),
        reward,
        _("A Sheriff who eliminates a Deputy discards all cards, in hand and in play."),
        *((penalty,) if edition.penalty else ()),
        _("Eliminations by Dynamite, High Noon or the player's own Duel bring no reward or penalty."),
        _("Finish everything one card does before moving on to anything else."),
    )


def special_cases(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """List special cases of the characters at this table."""
    del edition
    playing = [seat.character for seat in game.seats if seat.character is not None]
    cases = ((character, character_case(character, words)) for character in Character)
    return tuple(
        f"{character.value}: {case}"
        for character, case in cases
        if case and (character in playing or not playing)
    )


def character_case(character: Character, words: Words) -> str:
    """Return the answer to a common question about a character; empty if there is none.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ".
    """
    _ = words.gettext
    match character:
        case Character.BART_CASSIDY:
            return _("Hit by Dynamite and still alive: draw a card for each point lost.")
        case Character.EL_GRINGO:
            return _("Hit by Suzy Lafayette's last card: she draws, you take that card, and she draws again.")
        case Character.JOURDONNAIS:
            return _("With a Barrel in play you may draw! twice against one BANG!.")
        case Character.SID_KETCHUM:
            return _(
                "You can't use this ability while another card is being resolved. To save your last "
                "life point you can use it even out of turn, like a Beer."
            )
        case Character.SUZY_LAFAYETTE:
            return _(
                "A General Store or a Duel is finished first: you draw only if you then have no "
                "cards. Against Slab you may draw after the first Missed!."
            )
        case Character.VULTURE_SAM:
            return _(
                "As a Sheriff who eliminates a Deputy, you discard everything, including the Deputy's cards."
            )
        case _:
            return ""


def rebel(game: GameState, edition: Edition, words: Words) -> tuple[str, ...]:
    """Explain the Rebel! and the Revolution."""
    del game, edition
    _ = words.gettext
    return (
        _("The Rebel! must eliminate the Sheriff personally, on their own turn: a Revolution."),
        _("The Rebel! then becomes Sheriff: life points and their maximum go up by one; a Jail "
            "is discarded."),
        _("The new Sheriff keeps all cards in hand and begins a new turn at once."),
        _("If the Sheriff is eliminated any other way, the game ends as normal."),
        _("Deputies eliminated before that have lost; the others are allies of the new Sheriff."),
        _("If all Outlaws and Renegades are out while the Sheriff lives, the Law wins without "
            "the Rebel!"),
        _("The Rebel! may reveal their role on their turn, after drawing; then eliminating a "
            "Deputy costs no cards."),
        _("A former Sheriff brought back by Ghost Town or Dead Man is a Rebel!; a Deputy can win again."),
    )  # fmt: skip
