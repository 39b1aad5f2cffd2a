"""The figures of the tree are counted as a reader would count them."""

from pathlib import Path

import pytest
from tools.figures import (
    Figure,
    count_loose_modules,
    docstrings,
    find_lone_small,
    find_shared_names,
    find_unused,
    main,
    measure,
    read_modules,
)

FILES = {
    "pyproject.toml": '[project]\nscripts = {saloon = "saloon.core.main:main"}\n',
    "core/__init__.py": '"""The core."""\n',
    "core/main.py": '"""Start."""\nfrom saloon.core.rules import Rule\nfrom saloon.core import draw\n',
    "core/rules.py": '"""Rules."""\nclass Rule:\n    """What a rule is."""\n',
    "core/draw.py": '"""Draw."""\nfrom saloon.core.rules import Rule\nLATER = "saloon.core.later:main"\n',
    "core/later.py": '"""Imported by name."""\n',
    "core/rig.py": '"""A rig.\n\nMore.\n"""\nfrom saloon.core.draw import LATER\nclass Rule:\n    pass\n',
    "tests/test_rules.py": '"""Which rules hold."""\n',
    "docs/development/decisions/0001-x.md": "# Use X because Y\n",
    "docs/guide.md": "three more words\n",
    "docs/guides/it/guide.md": "altre tre parole\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_loose_modules_are_counted_by_folder_without_init(tree: Path) -> None:
    assert count_loose_modules(read_modules(tree)) == {tree / "core": 5}


def test_what_no_program_imports_is_unused_but_a_name_in_a_string_is_an_import(tree: Path) -> None:
    assert [module.name for module in find_unused(read_modules(tree), tree)] == ["saloon.core.rig"]


def test_small_modules_with_one_importer_are_found(tree: Path) -> None:
    assert [module.name for module in find_lone_small(read_modules(tree))] == ["saloon.core.later"]


def test_class_names_and_docstrings_are_counted_in_all_rooms(tree: Path) -> None:
    modules = read_modules(tree)
    assert find_shared_names(modules) == {"Rule"}
    assert "What a rule is." in set(docstrings(modules))


def test_the_table_has_every_figure(tree: Path) -> None:
    figures = {figure.name: figure.value for figure in measure(tree)}
    assert figures["lines that no program uses"] == 7
    assert figures["product lines"] == 18
    assert figures["docstrings that open as a question"] == 2
    assert figures["decision records"] == 1
    assert figures["words in docs"] == 7


def test_a_figure_over_its_limit_fails_the_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.figures.measure", lambda _root: (Figure("modules", 21, 20, "20"),))
    assert main([]) == 0
    assert main(["--check"]) == 1
    assert "over: 21" in capsys.readouterr().out
