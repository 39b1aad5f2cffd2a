"""The reasons for dollars and ranks as English sentences and sums."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import assert_never

import msgspec

from core.editions.edition import TieBreak
from core.game.ending.record_sheet import WhyGame
from core.game.ending.winnings import PayoutKind, PayoutPart
from core.game.in_words import EVENT_CARDS
from core.terms import Dollars, PlayerId
from core.text.money import TERM_WORDS
from core.tournament.standings.tie_breaks import RULES, NoValue, Value
from core.tournament.standings.why import Decided, Neighbour, Why, WhyDuel, WhyKey, WhyRank, WhyScore

Names = Mapping[PlayerId, str]


class SumRow(msgspec.Struct, frozen=True):
    """A row of a sum. dollars: None in a row that only explains. ends: a line is drawn below it."""

    what: str
    how: str
    dollars: Dollars | None
    ends: bool = False


def score_rows(score: WhyScore, names: Names) -> Iterator[SumRow]:
    """Yield a score as a sum, from the start money down to the total."""
    yield SumRow("start money", "", score.start, ends=True)
    for share in score.shares:
        if share.why is None:
            yield SumRow(f"game {share.number}", "won" if share.won else "", share.dollars)
        else:
            yield from game_rows(share.why, names, share.dollars)
    if score.average is None:
        yield SumRow("score", "all of it together", score.score)
        return
    yield SumRow("total", "all of it together", score.total)
    games = len(score.shares)
    how = f"{score.total:,} / {games} games = {exact(score.average)}, to the nearest dollar"
    yield SumRow("score", how, score.score)


def game_rows(game: WhyGame, names: Names, counted: Dollars | None = None) -> Iterator[SumRow]:
    """Yield the result of one game: the ending, each amount with its row and formula, and the spending.

    counted: the amount that counts for the score, if that is to be shown.
    """
    line = game.line
    title = f"round {game.round}, table {game.table}"
    end = f"{line.reason.ending.value.replace('_', ' ')}: {line.reason.because.value}"
    fate = ", came back: ".join((line.fate.value, *(EVENT_CARDS[card] for card in line.comebacks)))
    yield SumRow(title, f"seat {line.seat}, {line.last_role.value}, {fate}; {end}", None)
    for part in line.parts:
        yield SumRow(f"  {_KINDS[part.kind]}", _part(part, game, names), part.dollars)
    spending = game.spending
    if spending.price:
        character = "a character" if spending.character is None else spending.character.value
        yield SumRow("  auction", f"paid for {character}", Dollars(-spending.price))
    if spending.cards:
        yield SumRow("  experience", "paid for kept cards", Dollars(-spending.cards))
    net = game.net if counted is None else counted
    left_out = "" if net == game.net else "; prices of characters do not count"
    yield SumRow("  of this game", game.source + left_out, net, ends=True)


_KINDS: Mapping[PayoutKind, str] = {
    PayoutKind.TABLE: "row of the winnings table",
    PayoutKind.REWARD: "reward",
    PayoutKind.PENALTY: "penalty",
}


def _part(part: PayoutPart, game: WhyGame, names: Names) -> str:
    words = part.printed
    if part.terms:
        sums = (f"{term.each:,} x {term.times} {TERM_WORDS[term.counted].counted}" for term in part.terms)
        words = f"{words}: {' + '.join(sums)}"
    if part.eliminated is not None:
        player = game.players[part.eliminated - 1]
        words = f"{words}: seat {part.eliminated}, {names.get(player, player)}"
    return words


def rank_sentences(why: Why, names: Names) -> Iterator[str]:
    """Yield the reasons for a rank: neighbours, tie-breaks with their sums, lot, duels, bonus and prize."""
    rank = why.rank
    place = "left the tournament, and stands at the end" if rank.row.rank is None else f"rank {rank.row.rank}"
    yield f"{place}, score {rank.row.score:,}"
    if rank.above is not None:
        yield f"behind {names.get(rank.above.player, rank.above.player)}: {_by(rank, rank.above)}"
    if rank.below is not None:
        yield f"before {names.get(rank.below.player, rank.below.player)}: {_by(rank, rank.below)}"
    for key in rank.keys:
        yield _key(key, names)
    if rank.lot is not None:
        order = ", ".join(names.get(player, player) for player in rank.lot.group)
        seed = f" from the seed {rank.lot.seed}" if rank.lot.seed else ""
        yield f"lot: drawn as number {rank.row.lot} of {order}{seed}"
    for duel in rank.duels:
        yield _duel(duel, names)
    yield from _extra(rank)


def _extra(rank: WhyRank) -> Iterator[str]:
    row = rank.row
    if row.bonus:
        yield f"bonus: {row.bonus:,} for rank {row.rank}, added after the ranking and moving nobody"
    if row.bonus_by_draw:
        yield "bonus: lots decide which of the tied players get one"
    if row.prize:
        yield f"prize: {row.prize:,} for place {row.rank}, added to the total without changing the ranking"
    if row.final_score != row.score:
        yield f"final score: {row.final_score:,}"


def _by(rank: WhyRank, other: Neighbour) -> str:
    match other.decided:
        case Decided.SCORE:
            return f"the score, {rank.row.score:,} against {other.score:,}"
        case Decided.KEY:
            assert other.key is not None  # a tie-break decided
            assert other.mine is not None
            assert other.theirs is not None
            mine, theirs = describe_value(other.mine), describe_value(other.theirs)
            return f"{_equal(other)}{_name(other.key)}, {mine} against {theirs}"
        case Decided.GAME_OF_TWO:
            return f"{_equal(other)}the game that the two played"
        case Decided.LOT:
            return f"{_equal(other)}drawing lots"
        case Decided.FINALS:
            return "the finals"
        case Decided.LEFT:
            return "players who left are ranked last"
        case Decided.NOTHING:
            return f"{_equal(other)}nothing decides; lots must be drawn"
        case _:
            assert_never(other.decided)


def _equal(other: Neighbour) -> str:
    return "".join(f"the same {name}, " for name in ("score", *(_name(key) for key in other.equal)))


def _name(key: TieBreak) -> str:
    return RULES[key].name


def describe_value(value: Value) -> str:
    return value.value if isinstance(value, NoValue) else exact(value)


def exact(value: Fraction) -> str:
    """Format a fraction exactly: ``1,866 2/3``."""
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole:,} {rest}/{value.denominator}" if rest else f"{whole:,}"


def _key(key: WhyKey, names: Names) -> str:
    rule = RULES[key.key]
    said = f"{rule.name}, higher first ({rule.source}): {describe_value(key.value)}"
    if key.faced:
        met = " + ".join(
            f"{names.get(faced.player, faced.player)} {faced.score:,}{_times(faced.times)}"
            for faced in key.faced
        )
        if key.divisor:
            per = "opponents" if key.divisor == sum(each.times for each in key.faced) else "matches"
            return f"{said} = {key.sum_of_scores:,} / {key.divisor} {per} ({met})"
        return f"{said} = {met}"
    if key.counted:
        return f"{said} (games {', '.join(str(number) for number in key.counted)})"
    return said


def _times(times: int) -> str:
    return "" if times == 1 else f" x {times}"


def _duel(duel: WhyDuel, names: Names) -> str:
    how = "won" if duel.won else "lost"
    against = names.get(duel.opponent, duel.opponent)
    if duel.result is None:
        return f"{duel.part.value}: {how} against {against}, without a duel"
    score = "-".join(str(count) for count in duel.result.score)
    return f"{duel.part.value}: {how} against {against}, {score}: {duel.result.because.value}"
