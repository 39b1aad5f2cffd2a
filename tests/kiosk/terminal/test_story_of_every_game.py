"""Every step of every kind of game has a sentence in the story, and a moment that can be shown."""

import random
from collections.abc import Iterator

import pytest

from base.languages import LANGUAGES
from core.editions import editions
from core.game.timeline import Timeline
from kiosk.i18n import Words
from kiosk.terminal.story import Storyteller
from tests.core.game.random_games import random_game
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.judge_moments import judge_moments
from tests.scenarios.moments import moments


def timelines() -> Iterator[Timeline]:
    rules = [known for known in editions() if known.auction is None]
    all_moments = [moment for known in rules for moment in moments(5, known)]
    for moment in (*all_moments, *judge_moments(5), *auction_moments(5), *duel_moments()):
        if moment.view.timeline is not None:
            yield moment.view.timeline
    for seed in range(4):
        yield random_game(seed, 5 + seed % 3)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_told_and_the_lines_together_are_all_steps(language: str) -> None:
    words = Words(language)
    count = 0
    for timeline in timelines():
        lines = Storyteller().story(timeline, words)
        count += len(lines)
        assert all(line.text and "…" not in line.text and "{" not in line.text for line in lines)
        assert sum(line.steps for line in lines) == len(timeline.moments) - 1
        assert [line.moment for line in lines] == sorted({line.moment for line in lines})
        for line in lines:
            state = timeline.moments[line.moment].state
            assert line.turn == state.turns
            assert all(1 <= seat <= len(state.seats) for seat in line.seats)
    assert count > 1_000


def test_a_story_told_step_by_step_back_and_on_again_is_the_story_told_whole() -> None:
    """Including combined taps, undone steps, another game and another language."""
    words, other = Words("en"), Words("it")
    teller = Storyteller()
    for seed in range(4):
        moments = random_game(seed, 5 + seed % 3).moments
        chance = random.Random(seed)
        length = 1
        while length < len(moments):
            length = min(len(moments), max(1, length + chance.choice((1, 1, 1, 2, 7, -1, -3))))
            timeline = Timeline(moments[:length])
            speaks = other if chance.random() < 0.05 else words
            assert teller.story(timeline, speaks) == Storyteller().story(timeline, speaks)
        assert teller.story(None, words) == ()
