"""Nobody forgets the moments of a new scene: pictures and tests take them from one list."""

import importlib
import pkgutil

import tests.scenarios
from tests.scenarios import every_moment
from tests.scenarios.ending_moments import ending_moments
from tests.scenarios.every_moment import moments_anywhere, moments_at

WITHIN_OTHERS = {ending_moments.__name__}


def test_the_list_holds_every_module_of_moments() -> None:
    names = {module.name for module in pkgutil.iter_modules(tests.scenarios.__path__)}
    modules = {name for name in names if name.endswith("moments")}
    assert {"moments", "clock_moments", "mark_moments"} <= modules
    for name in modules:
        assert callable(getattr(importlib.import_module(f"{tests.scenarios.__name__}.{name}"), name)), name
    assert {name for name in modules if not hasattr(every_moment, name)} == WITHIN_OTHERS


def test_no_two_moments_of_a_table_have_one_picture() -> None:
    pictures = [moment.picture for moment in (*moments_at(6), *moments_anywhere())]
    assert sorted(pictures) == sorted(set(pictures))
    assert {"clock-over", "ending-disputed", "rehearsal-play", "test-report", "carry"} <= set(pictures)
