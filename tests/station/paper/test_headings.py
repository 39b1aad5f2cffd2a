"""Headings on paper: whole words in every language, however narrow their column is."""

import contextlib
import re

import pytest

from base.errors import Refused
from base.languages import LANGUAGES
from core.editions.loader import editions
from core.tournament.finals import PublishRoundsRanking
from core.tournament.state.tournament import Stage
from station.paper.layouts import Chapters, Forms, NameColumns, Paper, WideTable
from station.paper.papers import PaperKind, paper_of
from tests.core.tournament.conftest import Judge
from tests.station.paper.test_papers import break_ties, source_of, text_of

_WORD = r"\w[\w-]+"


@pytest.fixture(scope="module", params=editions(), ids=lambda rules: rules.key)
def judge(request: pytest.FixtureRequest) -> Judge:
    judge = Judge(request.param)
    judge.opens(7 if judge.rules.is_one_group else 14).plays_rounds()
    break_ties(judge)
    if judge.state.stage is Stage.FINALS:
        judge.does(PublishRoundsRanking())
    return judge


def headings_of(paper: Paper) -> set[str]:
    match paper.body:
        case Forms(forms=forms):
            heads = {head for form in forms for head in form.head}
        case Chapters(chapters=chapters):
            heads = {head for _title, table in chapters for head in table.head}
        case WideTable(head=head) | NameColumns(head=head):
            heads = set(head)
        case _:
            return set()
    return {word for head in heads for word in re.findall(_WORD, head)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_heading_breaks_within_a_word(judge: Judge, language: str) -> None:
    source = source_of(judge, language)
    broken = {}
    for kind in PaperKind:
        with contextlib.suppress(Refused):
            paper = paper_of(kind, source)
            if headings := headings_of(paper):
                broken[kind] = headings - set(re.findall(_WORD, text_of(paper)))
    assert len(broken) > 5
    assert {kind: words for kind, words in broken.items() if words} == {}
