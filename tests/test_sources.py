"""Every source that a docstring names is one of those listed in docs/development/sources.md."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CITATION = re.compile(r"(Championship 2022/23 v1\.4|Championship 2010 v1\.1), (\d(?:\.\d)?)(?: \"[^\"]+\")?")
WHOLE = ("base game", "Official Score System 2003", "The Rebel!")


def listed_sections() -> set[tuple[str, str]]:
    rows = re.findall(
        r"`(Championship [^`]+)` \| ([\d., ]+) \|", (ROOT / "docs/development/sources.md").read_text()
    )
    return {(name, section.strip()) for name, sections in rows for section in sections.split(",")}


def sources() -> list[tuple[str, str]]:
    texts: list[tuple[str, str]] = []
    for path in sorted((ROOT / "core").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        texts.extend(
            (str(path.relative_to(ROOT)), " ".join(match[1].split()))
            for match in re.finditer(r"Source: (.+?)(?:\n\s*\n|\"\"\")", text, re.DOTALL)
        )
    return texts


@pytest.mark.parametrize(("path", "source"), sources())
def test_a_source_is_a_listed_document_and_section(path: str, source: str) -> None:
    sections = [(match[1], match[2]) for match in CITATION.finditer(source)]
    named = any(document in source for document in WHOLE)
    assert sections or named or re.search(r"\bD\d\d\b", source), f"{path}: {source}"
    assert set(sections) <= listed_sections(), f"{path}: {source}"


@pytest.mark.parametrize(("path", "source"), sources())
def test_a_reading_exists(path: str, source: str) -> None:
    assert all(1 <= int(number) <= 51 for number in re.findall(r"\bD(\d\d)\b", source)), f"{path}: {source}"


def test_the_rules_name_their_sources() -> None:
    assert len(sources()) >= 10
