"""The differences that a decision makes to a tournament's rules, waivers and record sheets, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

import msgspec
from msgspec.structs import replace

from core.editions.loader import base_edition
from core.editions.readings import BEFORE_IT_WAS_ASKED
from core.game.ending.finished_game import FinishedGame
from core.game.result import FinishedDuel, Result
from core.game.state.game import Cause
from core.rule_set import ReadingChoice, RuleSet
from core.terms import PlayerId
from core.text.open_questions import ReadingQuestion, chosen_readings, questions
from core.tournament.state.rounds import ChangeByHand, MovedPlayer, SeatingChange, SwappedPlayers
from core.tournament.state.table_list import TableList
from core.tournament.state.tournament import Player, Waivers
from station.text.i18n import Words


class RuleChange(msgspec.Struct, frozen=True):
    """A choice that changes. ``before`` or ``after`` is "" where the rules don't have it."""

    label: str
    before: str
    after: str


class TournamentRules(msgspec.Struct, frozen=True):
    """Everything about a tournament's rules that a judge chooses."""

    rules: RuleSet
    waivers: Waivers = Waivers()
    unofficial: bool = False


def join_changed(before: str, after: str) -> str:
    """Return both texts with an arrow, or only the later one if they are the same or there was none."""
    return after if before in {"", after} else f"{before} → {after}"


def stated_rules(rules: RuleSet) -> RuleSet:
    """Return a tournament's rules with the answers that earlier versions did not state."""
    stated = {choice.name for choice in rules.readings}
    missing = (
        ReadingChoice(name, value) for name, value in BEFORE_IT_WAS_ASKED.items() if name not in stated
    )
    return replace(rules, readings=(*rules.readings, *missing))


def rule_changes(before: TournamentRules, after: TournamentRules, words: Words) -> tuple[RuleChange, ...]:
    """Return what differs between two tournaments' rules.

    Questions that only one of two editions leaves open count if the answer isn't the recommended one.
    """
    former, later = _choices(before, words), _choices(after, words)
    old, new = _questions(before.rules, words), _questions(after.rules, words)
    for one, other, chosen in ((old, new, former), (new, old, later)):
        for name, question in one.items():
            if name in other or not question.chosen.is_default:
                chosen[question.text] = question.chosen.text
    labels = dict.fromkeys((*former, *later))
    every = (RuleChange(label, former.get(label, ""), later.get(label, "")) for label in labels)
    return tuple(change for change in every if change.before != change.after)


def _questions(rules: RuleSet, words: Words) -> dict[str, ReadingQuestion]:
    chosen = chosen_readings(stated_rules(rules))
    return {question.name: question for question in questions(base_edition(rules), chosen, words)}


def _choices(chosen: TournamentRules, words: Words) -> dict[str, str]:
    """Return the choices of a tournament's rules apart from open questions, each with its label."""
    _ = words.gettext
    rules, base, waivers = chosen.rules, base_edition(chosen.rules), chosen.waivers
    facts = {_("Rules"): base.title + (f" ({_('house rules')})" if rules.house_rules else "")}
    facts |= {words.label(option): _("chosen") for option in rules.options}
    facts[_("What tables record")] = words.label(rules.mode)
    facts[_("At the end of a game, who agrees?")] = words.label(rules.agreement)
    if waivers.rounds is not None:
        facts[_("Rounds")] = str(waivers.rounds)
    if waivers.time_limit_min is not None:
        facts[_("Time limit")] = _("{n} minutes").format(n=waivers.time_limit_min)
    if waivers.cycles is not None:
        facts[_("How often each player is Sheriff")] = str(waivers.cycles)
    if not base.is_one_group:
        facts[_("Fewer players than the rules require")] = (
            _("allowed") if chosen.unofficial else _("not allowed")
        )
    if rules.tables_of_four is not None:
        facts[_("Tables of 4")] = _("allowed")
    return facts


def rules_changed(before: TournamentRules | None, after: TournamentRules, words: Words) -> str:
    """Return what a change of rules has changed, or the edition's title if only its text has."""
    changes = () if before is None else rule_changes(before, after, words)
    labels = {one.label: one.label + words.gettext(": ") for one in changes}
    labels[words.gettext("Rules")] = ""
    lines = (f"{labels[one.label]}{one.before or '–'} → {one.after or '–'}" for one in changes)
    return words.gettext("; ").join(lines) or base_edition(after.rules).title


def waivers_changed(before: Waivers, after: Waivers, words: Words) -> str:
    """Return which waivers have changed, from what to what."""
    _ = words.gettext
    pairs = (
        (_("rounds: {change}"), before.rounds, after.rounds),
        (_("time limit in minutes: {change}"), before.time_limit_min, after.time_limit_min),
        (_("times as Sheriff: {change}"), before.cycles, after.cycles),
    )
    changes = (
        text.format(change=f"{one or '–'} → {other or '–'}") for text, one, other in pairs if one != other
    )
    return ", ".join(changes) or "–"


def describe_renaming(before: Player, after: Player, words: Words) -> str:
    """Return which name or club a player had before."""
    _, said = words.gettext, after.name
    if before.name != after.name:
        said = _("{before} is now called {name}").format(before=before.name, name=after.name)
    if before.club == after.club:
        return said
    club = f"{before.club or '–'} → {after.club or '–'}"
    return said + ", " + _("club or town: {change}").format(change=club)


def result_changed(
    before: Result | None, after: Result, names: Mapping[PlayerId, str], words: Words
) -> tuple[str, ...]:
    """Return what a correction has changed in a record sheet, without dollar amounts."""
    former = {} if before is None else dict(_result_facts(before, names, words))
    later = dict(_result_facts(after, names, words))
    lines = (
        f"{label}{words.gettext(': ')}{former[label]} → {fact}"
        for label, fact in later.items()
        if former.get(label, fact) != fact
    )
    return tuple(lines)


def _result_facts(result: Result, names: Mapping[PlayerId, str], words: Words) -> Iterator[tuple[str, str]]:
    """Yield the facts of a record sheet, each with its label."""
    _, players = words.gettext, [names.get(player, player) for player in result.players]
    if isinstance(result, FinishedDuel):
        yield _("Winner"), players[result.winner - 1]
        yield _("Score"), "–".join(map(str, result.score))
        return
    yield _("Ending"), words.label(result.ending)
    for seat, (name, role) in enumerate(zip(players, result.roles, strict=True), 1):
        yield name, ", ".join((words.label(role), *_fates(result, seat, players, words)))


def _fates(game: FinishedGame, seat: int, players: list[str], words: Words) -> Iterator[str]:
    """Yield how a player was eliminated, each time, and that the player left."""
    for one in game.eliminations:
        if one.seat == seat and one.by is not None and one.cause is Cause.PLAYER:
            yield words.gettext("eliminated by {name}").format(name=players[one.by - 1])
        elif one.seat == seat:
            yield words.gettext("eliminated by {name}").format(name=words.label(one.cause))
    if any(one.seat == seat for one in game.abandonments):
        yield words.gettext("left during the game")


def change_in_words(
    change: SeatingChange, names: Mapping[PlayerId, str], words: Words, hall: TableList
) -> str:
    """Describe a manual change of a draft. ``hall`` contains the tournament's tables."""
    _ = words.gettext
    match change:
        case SwappedPlayers():
            one, other = (names.get(player, player) for player in (change.one, change.other))
            return _("{one} and {other} swapped").format(one=one, other=other)
        case MovedPlayer():
            name = names.get(change.player, change.player)
            return _("{name} moved to table {n}").format(name=name, n=hall.find_number(change.table))
        case _:
            assert_never(change)


def changes_in_words(
    changes: Sequence[ChangeByHand], names: Mapping[PlayerId, str], words: Words, hall: TableList
) -> tuple[str, ...]:
    """Describe the manual changes of a draft with their reasons; see ``change_in_words``."""
    colon = words.gettext(": ")
    return tuple(change_in_words(made.change, names, words, hall) + colon + made.reason for made in changes)
