"""The layer and configuration for rpi-image-gen, by the rules that its documentation gives for them."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.image.laid_out import IMAGE
from tests.image.test_terminal import INSTALL

FOLDER = IMAGE / "rpi-image-gen"
LAYER = FOLDER / "layer/saloon-terminal.yaml"
CONFIGS = sorted((FOLDER / "config").glob("*.yaml"))
OF_LAYERS = {"Name", "Category", "Desc", "Version", "Requires", "RequiresProvider", "Provides", "Conflicts"}
OF_VARIABLES = {"Desc", "Required", "Valid", "Set"}


def metadata() -> dict[str, str]:
    block = LAYER.read_text(encoding="ascii").split("# METABEGIN\n")[1].split("# METAEND\n")[0]
    fields: dict[str, str] = {}
    last = ""
    for line in (line.removeprefix("#").removeprefix(" ") for line in block.splitlines()):
        if line.startswith(" "):
            fields[last] += f" {line.strip()}"
        elif line:
            last, value = line.split(":", 1)
            fields[last] = value.strip()
    return fields


def contents(file: Path) -> dict[str, Any]:
    content = yaml.safe_load(file.read_text(encoding="ascii"))
    assert isinstance(content, dict)
    return content


def hooks() -> list[str]:
    commands = contents(LAYER)["mmdebstrap"]["customize-hooks"]
    assert isinstance(commands, list)
    return commands


def test_the_layer_has_only_fields_that_the_builder_knows() -> None:
    fields = metadata()
    prefix = fields["X-Env-VarPrefix"]
    variables = {name for name in fields if re.fullmatch(r"X-Env-Var-\w+", name)}
    known = {f"X-Env-Layer-{part}" for part in OF_LAYERS} | {"X-Env-VarPrefix"} | variables
    known |= {f"{name}-{part}" for name in variables for part in OF_VARIABLES}
    assert set(fields) <= known
    used = set(re.findall(r"IGconf_(\w+)", "\n".join(hooks())))
    assert used == {f"{prefix}_{name.removeprefix('X-Env-Var-')}" for name in variables}


def test_the_checkout_is_the_one_around_the_layer() -> None:
    place = metadata()["X-Env-Var-checkout"].replace("${DIRECTORY}", str(LAYER.parent))
    assert Path(place).resolve() == IMAGE.parent.resolve()


def test_the_layer_brings_the_packages_that_the_installer_asks_for() -> None:
    match = re.search(r'(?m)^packages="([^"$]*)"', INSTALL.read_text(encoding="utf-8"))
    assert match is not None
    assert contents(LAYER)["mmdebstrap"]["packages"] == match[1].split()


@pytest.mark.parametrize("hook", hooks())
def test_hooks_are_shell_that_stops_at_the_first_fault(hook: str) -> None:
    assert hook.startswith("set -eu\n")
    subprocess.run(["sh", "-n"], input=hook, text=True, check=True)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
def test_each_configuration_builds_the_terminal_for_a_board(config: Path) -> None:
    content = contents(config)
    assert content["layer"]["app"] == metadata()["X-Env-Layer-Name"]
    assert content["device"]["layer"] in {"rpi3", "rpi4", "rpi5"}
    assert content["image"]["name"] == config.stem
