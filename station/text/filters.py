"""Template filters: dollars, durations and tie-breaks."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from jinja2 import Environment, pass_context
from jinja2.ext import Extension
from jinja2.lexer import (
    TOKEN_DATA,
    TOKEN_LPAREN,
    TOKEN_NAME,
    TOKEN_PIPE,
    TOKEN_RPAREN,
    TOKEN_VARIABLE_BEGIN,
    TOKEN_VARIABLE_END,
    Token,
    TokenStream,
)
from jinja2.runtime import Context
from markupsafe import Markup

from base.right_to_left import isolated
from core.editions.edition import TieBreak
from core.text.open_questions import count_changed
from core.text.sentence import amounts_in, dollars, number_in
from core.tournament.standings.standings import StandingRow
from core.tournament.state.names import fold_name
from core.tournament.state.tournament import Entrant
from station.text.times import day_and_time, day_in_words

_MINUTE_S = 60
_HOUR_S = 3600
_MOST_LISTED = 10
_MARKUP: Final = re.compile(r"<(/?\w*)|>")


def add_to(environment: Environment) -> None:
    """Add the filters to an environment of templates."""
    environment.filters["dollars"] = money
    environment.filters["amounts"] = amounts
    environment.filters["ago"] = ago
    environment.filters["minutes"] = minutes
    for write in (tie_break, exact, points):
        environment.filters[write.__name__] = _for_the_reader(write)
    environment.filters["moment"] = moment
    environment.filters["day"] = day
    environment.filters["table_sizes"] = table_sizes
    environment.filters["count_changed"] = count_changed
    environment.filters["by_name"] = by_name
    environment.filters["isolated"] = _isolated
    environment.add_extension(IsolatedNames)


class IsolatedNames(Extension):
    """Isolate names from right to left, which would reorder what is around them, in the text of every page.

    Attributes and text areas keep the plain value, which is sent back, searched or compared.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Apply the filter ``isolated`` to each expression between tags."""
        tag, is_inside = "", False
        for token in stream:
            is_text = not is_inside and tag != "textarea"
            if token.type == TOKEN_DATA:
                for mark in _MARKUP.finditer(token.value):
                    is_inside = mark[0] != ">"
                    tag = mark[1] if is_inside else tag
            elif token.type == TOKEN_VARIABLE_END and is_text:
                for kind, value in ((TOKEN_RPAREN, ")"), (TOKEN_PIPE, "|"), (TOKEN_NAME, "isolated")):
                    yield Token(token.lineno, kind, value)
            yield token
            if token.type == TOKEN_VARIABLE_BEGIN and is_text:
                yield Token(token.lineno, TOKEN_LPAREN, "(")


def _isolated(value: object) -> object:
    return isolated(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def by_name(entrants: Iterable[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda one: fold_name(one.name))


def _for_the_reader(write: Callable[..., str]) -> Callable[..., str]:
    """Return a filter that formats a number with the separators of the page's language."""

    @pass_context
    def written(context: Context, *values: object) -> str:
        return number_in(write(*values), context["language"])

    return written


@pass_context
def money(context: Context, amount: int, language: str = "") -> str:
    """Format dollars: ``$1,600``, in Italian ``$1.600``. ``language`` overrides the page's."""
    return amounts_in(dollars(amount), language or context["language"])


@pass_context
def amounts(context: Context, text: str) -> str:
    return amounts_in(text, context["language"])


def minutes(seconds: float) -> str:
    """Format a duration as minutes and seconds: ``3:07``."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


@pass_context
def day(context: Context, when: str | dt.date) -> str:
    """Format a date: ``21 Nov 2026``."""
    return day_in_words(when, context["_"])


@pass_context
def moment(context: Context, when: int | str | dt.datetime) -> str:
    """Format a date and time: ``21 Nov 2026, 14:30:05``."""
    return day_and_time(when, context["_"])


def table_sizes(sizes: Sequence[int]) -> str:
    """List the sizes of tables: ``5, 5, 6``, or ``190 × 5, 10 × 6`` for many tables."""
    if len(sizes) <= _MOST_LISTED:
        return ", ".join(map(str, sizes))
    return ", ".join(f"{number} × {size}" for size, number in sorted(Counter(sizes).items()))


def ago(seconds: float | None) -> str:
    """Format a duration briefly: ``8 s``, ``3 min``, ``2 h``, or a dash for None."""
    if seconds is None:
        return "–"
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_S:.0f} min" if seconds < _HOUR_S else f"{seconds / _HOUR_S:.0f} h"


def hours_and_minutes(minutes: int) -> str:
    """Format a long duration: ``40 min``, ``5 h`` or ``2 h 40 min``."""
    hours, rest = divmod(minutes, 60)
    return " ".join([*([f"{hours} h"] if hours else []), *([f"{rest} min"] if rest or not hours else [])])


def tie_break(row: StandingRow, key: TieBreak) -> str:
    """Format a tie-break's value to two places, or "" for a lot not drawn."""
    if key is TieBreak.LOT:
        return str(row.lot or "")
    value = next((part.value for part in row.keys if part.key is key), None)
    return points(value) if isinstance(value, Fraction) else "–"


def exact(value: object) -> str:
    """Format a fraction to two places, followed by the fraction itself, or a dash for None."""
    if not isinstance(value, Fraction):
        return "–"
    return points(value) if value.denominator == 1 else f"{points(value)} ({value})"


def points(value: Fraction) -> str:
    """Format a season's points, to two places unless they are whole."""
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,.2f}"
