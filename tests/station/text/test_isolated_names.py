"""Names from right to left on pages: isolated where they are read, and plain where they are sent back."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from markupsafe import Markup

from base.right_to_left import isolated, without_isolates
from core.terms import PlayerId
from core.tournament.registration import RegisterPlayers
from core.tournament.state.tournament import Player
from station.text import filters
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station

NAME = "דנה"
ISOLATED = f"\u2067{NAME}\u2069"


@cache
def environment() -> Environment:
    made = Environment(autoescape=True)
    filters.add_to(made)
    return made


def page(template: str, name: object = NAME) -> str:
    return environment().from_string(template).render(name=name, n=4)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("<p>{{ name }} {{ n }}</p>", f"<p>{ISOLATED} 4</p>"),
        ('<p>{{ "{x}, table 4".format(x=name) -}} </p>', f"<p>{ISOLATED}, table 4</p>"),
        ('<i title="{{ name }}" {% if n %}id="{{ name }}"{% endif %}>', f'<i title="{NAME}" id="{NAME}">'),
        ("<textarea rows=2>{{ name }}</textarea>{{ name }}", f"<textarea rows=2>{NAME}</textarea>{ISOLATED}"),
        ('<option value="{{ name }}">{{ name }}', f'<option value="{NAME}">{ISOLATED}'),
        ("{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}{{ m(name) }}", f"<b>{ISOLATED}</b>"),
    ],
)
def test_a_name_is_isolated_as_text_and_plain_in_attributes(template: str, expected: str) -> None:
    assert page(template) == expected


def test_markup_and_other_values_stay_as_they_are() -> None:
    assert page("{{ name }}", Markup(f"<b>{NAME}</b>")) == f"<b>{NAME}</b>"
    assert page("{{ name }}", 3) == "3"
    assert page("{{ name }}", f"<{NAME}>") == f"&lt;{ISOLATED}&gt;"


@given(st.text())
def test_isolates_are_taken_off_again_without_a_trace(text: str) -> None:
    plain = without_isolates(text)
    assert without_isolates(isolated(plain)) == plain


def test_a_name_copied_from_a_page_into_a_form_is_the_same_name(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.does(RegisterPlayers((Player(PlayerId("p011"), NAME, ""),)))
    address = f"/judge/t/{OPEN}/players"
    assert ISOLATED in judge.get(address)
    judge.send(f"{address}/p011/rename", {"name": f"{ISOLATED} Levi", "club": ""})
    assert f'value="{NAME} Levi"' in judge.get(f"{address}/p011")
