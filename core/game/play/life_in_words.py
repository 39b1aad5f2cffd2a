"""Descriptions of life points lost and regained."""

from saloon.core.words import Words


def life_told(name: str, points: int, words: Words, *, lost: bool) -> str:
    """Describe life points that a player, or a character of a duel, lost or regained."""
    if lost:
        text = words.ngettext("{name} loses {points} life point", "{name} loses {points} life points", points)
    else:
        text = words.ngettext(
            "{name} regains {points} life point", "{name} regains {points} life points", points
        )
    return text.format(name=name, points=points)
