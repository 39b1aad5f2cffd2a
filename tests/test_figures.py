"""The figures of the tree are counted as a reader would count them, and can only get better."""

import json
import textwrap
from pathlib import Path

import pytest

from tools.figures import (
    Gate,
    Module,
    count_late_imports,
    count_vague,
    find_circles,
    find_large,
    find_lone_small,
    find_shared_names,
    find_unused,
    knots_in_words,
    main,
    parse,
    read_modules,
    read_tree,
)

FLAT = (
    "def name(kind):\n    match kind:\n"
    + "        case 1:\n            pass\n" * 200
    + "    assert_never(kind)\n"
)
FILES = {
    "pyproject.toml": """
        [project]
        scripts = {saloon = "cellar.main:main"}
        [tool.importlinter]
        root_packages = ["cellar", "attic"]
    """,
    "cellar/__init__.py": '"""The cellar."""\n',
    "cellar/main.py": """
        from cellar.casks.beer import Beer
        from cellar.bottles import wine
        import attic
    """,
    "cellar/casks/__init__.py": '"""Casks."""\n',
    "cellar/casks/beer.py": """
        class Beer:
            'What a beer is.'
        LATER = "cellar.later:main"
    """,
    "cellar/casks/rig.py": """
        'A rig.'
        from cellar.casks.beer import Beer
        class Beer:
            pass
    """,
    "cellar/bottles/__init__.py": '"""Bottles."""\n',
    "cellar/bottles/wine.py": """
        def pour(_told):
            from cellar.casks import beer
            for found in beer:
                pass
    """,
    "cellar/later.py": 'THERE = "GET /cellar"\n',
    "attic/__init__.py": '"""The attic."""\n',
    "docs/development/decisions/0001-x.md": "# Use X because Y\n",
    "docs/guide.md": "three more words\n",
    "docs/guides/it/guide.md": "altre tre parole\n",
    "tests/test_wine.py": "told = heard.shown\nheard.given = told.told()\n",
    "tools/limits.json": "{}",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def module(tree: Path, name: str) -> Module:
    return next(m for m in read_modules(tree) if m.name == name)


def test_what_no_program_imports_is_unused_but_a_name_in_a_string_is_an_import(tree: Path) -> None:
    assert [m.name for m in find_unused(read_tree(tree), tree)] == ["cellar.casks.rig"]


def test_small_modules_with_one_importer_are_found(tree: Path) -> None:
    assert [m.name for m in find_lone_small(read_tree(tree))] == ["cellar.bottles.wine"]


def test_class_names_are_counted_in_all_rooms(tree: Path) -> None:
    assert find_shared_names(read_modules(tree)) == {"Beer"}


def test_folders_that_import_each_other_are_a_knot_by_late_imports_too(tree: Path) -> None:
    beer = tree / "cellar" / "casks" / "beer.py"
    assert find_circles(read_tree(tree).folders) == ()
    beer.write_text(f"{beer.read_text()}def pour():\n    import cellar.bottles.wine\n")
    late = read_tree(tree)
    assert find_circles(late.folders) == (frozenset({"cellar.bottles", "cellar.casks"}),)
    assert find_circles(late.imports) == (frozenset({"cellar.bottles.wine", "cellar.casks.beer"}),)
    assert "    1 cellar.bottles -> cellar.casks" in list(knots_in_words(late))
    assert count_late_imports(module(tree, "cellar.casks.beer")) == 1


def test_names_are_counted_where_they_are_bound_and_not_where_they_are_read(tree: Path) -> None:
    assert count_vague(module(tree, "cellar.bottles.wine")) == 2
    assert [count_vague(m) for m in parse(tree, "tests")] == [2]


def test_a_long_module_is_large_unless_a_flat_match_makes_it_long(tree: Path) -> None:
    long, flat = tree / "attic" / "long.py", tree / "attic" / "flat.py"
    long.write_text("A = 1\n" * 401)
    flat.write_text(FLAT.replace("    assert_never", "        case _:\n            assert_never"))
    assert [m.path for m in find_large(read_modules(tree))] == [long]


def test_a_limit_falls_to_the_aim_and_never_rises() -> None:
    gate = Gate("knots", 5, 2)
    assert [gate.fault(4), gate.fault(5), gate.fault(6)] == ["above its limit", "", "better: run --lower"]
    assert Gate("knots", 1, 2).fault(2) == ""
    assert [gate.lowered(None), gate.lowered(4), gate.lowered(6), Gate("knots", 1, 2).lowered(6)] == [
        5,
        4,
        5,
        2,
    ]


@pytest.mark.slow
def test_the_check_fails_for_a_worse_figure_and_for_a_limit_that_could_fall(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = tree / "tools" / "limits.json"
    assert main([], tree) == 0
    assert main(["--check"], tree) == 1
    assert "above its limit" in capsys.readouterr().out
    assert main(["--lower", "--check"], tree) == 0
    kept = json.loads(limits.read_text())
    assert kept["places that know a page's address"] == 2
    assert kept["lines that no program uses"] == 4
    assert kept["docstrings that open as a question"] == 1
    assert kept["vague identifiers, product"] == 2
    limits.write_text(json.dumps(kept | {"lines that no program uses": 5}))
    assert main(["--check"], tree) == 1
    assert "better: run --lower" in capsys.readouterr().out
    limits.write_text(json.dumps(kept | {"lines that no program uses": 3}))
    assert main(["--lower", "--check"], tree) == 1
