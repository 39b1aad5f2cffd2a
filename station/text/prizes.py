"""Prizes as text: the rule of each, its winners, and the games and places behind their figures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.terms import PlayerId
from core.text.sentence import amounts_in, dollars
from core.tournament.prizes import Award, PrizeCandidate, PrizeFigure, awards_of
from core.tournament.state.prizes import Prize, PrizeBasis, PrizeExclusion, PrizeGroup
from core.tournament.state.tournament import TournamentState
from station.text.i18n import LABELS, Words
from station.text.names import names_of, round_title

_FEWEST_SHOWN: Final = 10


def _(text: str) -> str:
    return text


LABELS.update(
    {
        PrizeBasis.RANKING: _("Place in the ranking"),
        PrizeBasis.BEST_GAME: _("Highest winnings in one game"),
        PrizeBasis.WON: _("Games won"),
        PrizeBasis.WON_AS_SHERIFF: _("Games won as Sheriff"),
        PrizeBasis.WON_AS_DEPUTY: _("Games won as Deputy"),
        PrizeBasis.WON_AS_OUTLAW: _("Games won as Outlaw"),
        PrizeBasis.WON_AS_RENEGADE: _("Games won as Renegade"),
        PrizeBasis.ELIMINATIONS: _("Players eliminated"),
        PrizeGroup.EVERYONE: _("all players"),
        PrizeGroup.NEWCOMERS: _("newcomers"),
        PrizeGroup.ONE_CLUB: _("players of one club or town"),
        PrizeGroup.CHOSEN: _("players whom you choose"),
        PrizeGroup.CLUBS: _("clubs, by their best players"),
        PrizeExclusion.NOBODY: _("can win this too"),
        PrizeExclusion.PODIUM: _("not for the first three of the ranking"),
        PrizeExclusion.WINNERS: _("not for the first three or winners of prizes above"),
    }
)


class AwardLine(msgspec.Struct, frozen=True):
    """A candidate for a prize as text.

    place: "" for a candidate who can't win.
    rank: the place in the ranking; of a club, its best player's.
    player: None for a club.
    facts: what the figure consists of.
    """

    place: str
    rank: str
    name: str
    player: PlayerId | None
    figure: str
    facts: tuple[str, ...]
    note: str
    is_winner: bool


class AwardView(msgspec.Struct, frozen=True):
    """A prize with its rule, and its first candidates. ``more`` is the number of the others."""

    name: str
    rule: str
    lines: tuple[AwardLine, ...]
    more: int

    @property
    def winners(self) -> tuple[AwardLine, ...]:
        return tuple(line for line in self.lines if line.is_winner)


def describe_prize(prize: Prize, words: Words) -> str:
    """Return a prize's rule, such as “Games won as Sheriff · newcomers”."""
    return " · ".join(_rule(prize, words))


def describe_prize_changes(before: Sequence[Prize], after: Sequence[Prize], words: Words) -> str:
    """Return which prizes were added, changed or removed, or else their former and new order."""
    _ = words.gettext
    old, new = ({prize.name: prize for prize in each} for each in (before, after))
    changes = []
    for name, prize in new.items():
        rule = describe_prize(prize, words)
        if name not in old:
            changes.append(_("{name} added ({rule})").format(name=name, rule=rule))
        elif prize != old[name]:
            former = describe_prize(old[name], words)
            changes.append(f"{name} ({rule})" if former == rule else f"{name} ({former} → {rule})")
    changes += [_("{name} removed").format(name=name) for name in old if name not in new]
    order = " → ".join(", ".join(each) for each in (old, new))
    return _("Prizes changed: {changes}").format(changes=", ".join(changes) or order)


def _rule(prize: Prize, words: Words) -> Iterator[str]:
    _ = words.gettext
    is_of_clubs = prize.group is PrizeGroup.CLUBS
    yield _("Total") if is_of_clubs and prize.basis is PrizeBasis.RANKING else words.label(prize.basis)
    match prize.group:
        case PrizeGroup.ONE_CLUB:
            yield _("players of {club}").format(club=prize.club)
        case PrizeGroup.CHOSEN:
            count = len(prize.players)
            yield words.ngettext("{n} chosen player", "{n} chosen players", count).format(n=count)
        case PrizeGroup.CLUBS:
            said = words.ngettext(
                "clubs, by their best player", "clubs, by their {n} best players", prize.best
            )
            yield said.format(n=prize.best)
        case _:
            yield words.label(prize.group)
    if prize.excluded is not PrizeExclusion.NOBODY:
        yield words.label(prize.excluded)
    if prize.places > 1:
        yield words.ngettext("{n} place", "{n} places", prize.places).format(n=prize.places)


def awards_in_words(state: TournamentState, rules: Edition, words: Words) -> tuple[AwardView, ...]:
    """Return the prizes with their candidates as text, in the organiser's order."""
    names = names_of(state)
    views = []
    for award in awards_of(state, rules):
        last = max((n for n, one in enumerate(award.candidates, 1) if one.is_winner), default=0)
        count = max(last, _FEWEST_SHOWN)
        lines = tuple(_line(one, award, state, names, words) for one in award.candidates[:count])
        rule = describe_prize(award.prize, words)
        views.append(AwardView(award.prize.name, rule, lines, len(award.candidates) - len(lines)))
    return tuple(views)


def _line(
    one: PrizeCandidate, award: Award, state: TournamentState, names: Mapping[PlayerId, str], words: Words
) -> AwardLine:
    prize = award.prize
    if one.club:
        facts = tuple(
            f"{names[each.player]}{words.gettext(': ')}{_amount(prize, each.figure, words)}"
            for each in one.counted
        )
    else:
        facts = tuple(_games(one.counted[0], prize, state, words))
    return AwardLine(
        "" if one.place is None else str(one.place),
        str(one.rank),
        one.club or names[one.player],
        None if one.club else one.player,
        _figure(one, prize, words),
        facts,
        _note(one, award, words),
        one.is_winner,
    )


def _figure(one: PrizeCandidate, prize: Prize, words: Words) -> str:
    amount = _amount(prize, one.figure, words)
    if prize.basis is PrizeBasis.RANKING and not one.club:
        return f"{words.gettext('Place {n}').format(n=one.rank)} · {amount}"
    return amount


def _amount(prize: Prize, figure: int, words: Words) -> str:
    if prize.basis.is_money:
        return amounts_in(dollars(figure), words.language)
    if prize.basis is PrizeBasis.ELIMINATIONS:
        return words.ngettext("{n} elimination", "{n} eliminations", figure).format(n=figure)
    return words.ngettext("{n} win", "{n} wins", figure).format(n=figure)


def _games(one: PrizeFigure, prize: Prize, state: TournamentState, words: Words) -> Iterator[str]:
    for game in one.games:
        table = words.gettext("Table {n}").format(n=game.table)
        counted = f" (× {game.figure})" if game.figure > 1 and not prize.basis.is_money else ""
        yield f"{round_title(state, game.round, words)}, {table}{counted}"


def _note(one: PrizeCandidate, award: Award, words: Words) -> str:
    _ = words.gettext
    if one.place is None:
        return words.label(award.prize.excluded)
    is_shared = Counter(each.place for each in award.candidates)[one.place] > 1
    return _("shared, as the ranking doesn't separate them either") if is_shared else ""
