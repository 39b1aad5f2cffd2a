"""The files that GitHub reads: its forms accept them, and workflows call targets that exist."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_there_is_a_form_for_each_kind_of_report() -> None:
    assert [form.stem for form in FORMS] == ["bug", "edition", "hall", "hardware", "language"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_github_accepts_an_issue_form(path: Path) -> None:
    form = loaded(path)
    assert form["name"]
    assert form["description"]
    fields = [part for part in form["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in fields} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert len({part["id"] for part in fields}) == len(fields)
    assert all(part["attributes"]["label"] for part in fields)
    assert any(part.get("validations", {}).get("required") for part in fields)


def test_the_tests_run_on_every_declared_python() -> None:
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    matrix = loaded(ROOT / ".github/workflows/tests.yml")["jobs"]["quick"]["strategy"]["matrix"]
    assert matrix["python"] == declared


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_targets_of_the_makefile(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"(?:run: |&& )(?:sudo )?make ([a-z-]+)", path.read_text(encoding="utf-8"))
    for target in targets:
        assert re.search(rf"(?m)^{target}:.*##", makefile), target


def test_an_action_is_pinned_by_the_same_hash_in_every_workflow() -> None:
    used = re.findall(r"uses: (\S+)@(.*)", "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS))
    assert all(re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", pin) for _action, pin in used)
    assert len(set(used)) == len({action for action, _pin in used})


def test_an_extra_names_each_library_that_drives_pins() -> None:
    extras = PROJECT["optional-dependencies"]
    libraries = {name: re.split("[<>=]", *extras[name])[0] for name in ("pi", "rpi-gpio", "rpi-lgpio")}
    assert libraries == {"pi": "lgpio", "rpi-gpio": "RPi.GPIO", "rpi-lgpio": "rpi-lgpio"}
