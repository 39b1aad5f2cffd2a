"""Nobody forgets the moments of a new scene: pictures and tests take them from one list."""

import importlib
import inspect
import pkgutil

import tests.scenarios
from tests.scenarios import every_moment
from tests.scenarios.every_moment import moments_anywhere, moments_at
from tests.scenarios.judge_moments import ending_moments
from tests.scenarios.table_moments import rule_moments

ELSEWHERE = {ending_moments.__name__, rule_moments.__name__}
"""Within those of the judge; and read by the tests of what fits on a screen."""


def test_the_list_holds_the_moments_of_every_module() -> None:
    modules = [name for _, name, _ in pkgutil.iter_modules(tests.scenarios.__path__) if "test_" not in name]
    listed = {
        name
        for module in modules
        for name, _ in inspect.getmembers(
            importlib.import_module(f"tests.scenarios.{module}"), inspect.isfunction
        )
        if name.endswith("moments") and not name.startswith("_")
    }
    assert {"moments", "clock_moments", "mark_moments"} <= listed
    assert {name for name in listed if not hasattr(every_moment, name)} == ELSEWHERE


def test_no_two_moments_of_a_table_have_one_picture() -> None:
    pictures = [moment.picture for moment in (*moments_at(6), *moments_anywhere())]
    assert sorted(pictures) == sorted(set(pictures))
    assert {"clock-over", "ending-disputed", "rehearsal-play", "test-report", "carry"} <= set(pictures)
