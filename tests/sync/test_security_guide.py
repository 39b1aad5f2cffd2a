"""Every test that docs/reference/security.md names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.findall(
    r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs" / "reference" / "security.md").read_text(encoding="utf-8")
)


def test_the_guide_names_tests() -> None:
    assert len(NAMED) > 25


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED)))
def test_what_the_guide_says_was_tried_is_a_test(file: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
