"""The terminal's image, its installer, and its layer and configuration for rpi-image-gen."""

import configparser
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from kiosk.terminal.startup.composition import REQUEST
from kiosk.terminal.startup_settings import settings_in
from tests.image.laid_out import IMAGE, SYSTEM_UNITS, TERMINAL, programs_named

INSTALL = IMAGE / "terminal" / "install"
# In Debian 13 only (sockets for ssh), or in Debian 12 only (utmp; systemd-repart has its own package now).
OF_ONE_DEBIAN = {
    "autovt@.service",
    "systemd-modules-load.service",
    "systemd-repart.service",
    "systemd-update-utmp.service",
    "systemd-update-utmp-runlevel.service",
    "systemd-ssh-generator",
    "ldconfig.service",
    "systemd-journal-catalog-update.service",
    "systemd-update-done.service",
    "systemd-hwdb-update.service",
}
LOCKS = [IMAGE.parent / "requirements" / f"{name}.lock" for name in ("terminal", "build")]
PLACES, text, unit_text = TERMINAL.places, TERMINAL.text, TERMINAL.unit


def test_what_is_masked_is_a_unit_of_systemd() -> None:
    masked = [Path(name).name for name, path in PLACES.items() if path.is_symlink()]
    assert {"getty@.service", "serial-getty@.service", "ctrl-alt-del.target"} <= set(masked)
    assert set(masked) >= OF_ONE_DEBIAN
    assert {name for name in masked if not (SYSTEM_UNITS / name).exists()} <= OF_ONE_DEBIAN


def test_nobody_gets_a_shell_at_the_screen() -> None:
    for unit in ("emergency", "rescue"):
        changed = text(f"etc/systemd/system/{unit}.service.d/saloon.conf")
        # An empty ExecStart takes the system's own back; sulogin was among them.
        assert "ExecStart=\nExecStart=/usr/lib/saloon/cannot-start" in changed
        assert "ExecStartPre=\n" in changed
    assert "kernel.sysrq = 0" in text("etc/sysctl.d/90-saloon.conf")
    assert "CtrlAltDelBurstAction=none" in text("etc/systemd/system.conf.d/saloon.conf")


def test_the_terminal_waits_for_no_network_and_no_login() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.read_string(re.sub(r"(?m)^(Environment|ExecStart\w*)=.*$", "", unit_text("saloon-terminal.service")))
    waits = unit["Unit"]["After"].split()
    assert unit["Unit"]["DefaultDependencies"] == "no"
    assert all(name.startswith("saloon-") for name in waits), waits


@pytest.mark.parametrize("name", ["saloon-terminal", "saloon-app", "saloon-provision"])
def test_the_first_picture_and_what_it_waits_for_have_the_processor_first(name: str) -> None:
    """``Nice`` counts only within a service: the kernel shares the processor out among services."""
    assert "\nStartupCPUWeight=10000\n" in unit_text(f"{name}.service")


def test_the_terminal_is_started_with_a_file_that_it_understands() -> None:
    (file,) = re.findall(
        r"(?m)^ExecStart=/run/saloon/app/bin/saloon-kiosk /(\S+)$", unit_text("saloon-terminal.service")
    )
    settings = settings_in(PLACES[file])
    assert settings.data == Path("/var/lib/saloon")
    assert settings.boot_files[-1] == Path("/boot/firmware/saloon.toml")
    assert settings.pins == "lgpio"


def test_the_system_watches_the_file_by_which_the_terminal_asks() -> None:
    assert f"PathExists=/run/saloon-terminal/{REQUEST}" in unit_text("saloon-power-off.path")
    assert "RuntimeDirectory=saloon-terminal" in unit_text("saloon-terminal.service")


def test_ssh_opens_to_the_key_of_the_provisioning_file_only() -> None:
    from kiosk.cli.boot_file import SSH

    says = dict(
        line.split(maxsplit=1)
        for line in text("etc/ssh/sshd_config.d/saloon.conf").splitlines()
        if not line.startswith("#")
    )
    assert says["AuthorizedKeysFile"] == f"/data/system/{SSH}"
    assert says["PasswordAuthentication"] == says["KbdInteractiveAuthentication"] == "no"
    assert says["PermitRootLogin"] == "prohibit-password"
    assert f"ConditionPathExists={says['AuthorizedKeysFile']}" in text(
        "etc/systemd/system/ssh.service.d/saloon.conf"
    )


def test_a_stick_starts_the_unit_that_mounts_it() -> None:
    assert "saloon-stick@%k.service" in text("usr/lib/udev/rules.d/70-saloon-terminal.rules")


def test_the_card_is_mounted_where_the_units_look_for_it() -> None:
    lines = [line.split() for line in text("etc/fstab").splitlines() if line and not line.startswith("#")]
    places = {line[1]: (line[0], set(line[3].split(","))) for line in lines}
    assert places["/boot/firmware"][0] == "LABEL=SALOON"
    assert "ro" in places["/boot/firmware"][1]
    assert {"noatime", "errors=remount-ro", "nosuid", "nodev", "noexec"} <= places["/data"][1]
    assert places["/var/lib/saloon"][0] == "/data/saloon"
    user = re.search(r"(?m)^u saloon (\d+)", text("usr/lib/sysusers.d/saloon.conf"))
    assert user is not None
    assert f"gid={user[1]}" in places["/boot/firmware"][1]


def test_the_installer_puts_in_place_what_its_units_need() -> None:
    script = INSTALL.read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^    ((?:common|terminal)/root/\S+) \\$", script)
    assert len(listed) >= 15
    assert all((IMAGE / name).is_file() for name in listed)
    brought = {name.split("/root/", 1)[1] for name in listed}
    for name in brought:
        if name.endswith(".service"):
            needed = programs_named((PLACES[name]).read_text(encoding="utf-8"))
            assert {program[1:] for program in needed if "/usr/lib/saloon/" in program} <= brought
    for unit in re.findall(r"saloon-[\w-]+\.(?:service|path)", script.split("systemctl enable", 1)[1]):
        assert f"usr/lib/systemd/system/{unit}" in brought


def test_the_installer_asks_for_the_locks_that_it_is_tested_with() -> None:
    script = INSTALL.read_text(encoding="utf-8")
    assert all(f"$checkout/requirements/{lock.name}" in script for lock in LOCKS)


def test_the_installer_compiles_lgpio_where_nobody_offers_it_and_removes_the_compiler() -> None:
    script = INSTALL.read_text(encoding="utf-8")
    assert "--no-binary lgpio --require-hashes" in script
    assert "apt-get purge -y -qq $brought" in script


def test_the_installer_changes_nothing_where_systemd_is_missing(tmp_path: Path) -> None:
    (tmp_path / "dirname").symlink_to("/usr/bin/dirname")
    (tmp_path / "id").write_text("#!/bin/sh\necho 0\n", encoding="utf-8")
    (tmp_path / "id").chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", str(INSTALL)], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "needs a system that systemd starts" in done.stderr


def test_the_installer_goes_on_where_a_system_has_no_pins() -> None:
    script = INSTALL.read_text(encoding="utf-8")
    always = script.split('packages="', 1)[1].split('"', 1)[0]
    assert "lgpio" not in always


def test_a_terminal_takes_pygame_from_its_system() -> None:
    done = subprocess.run(
        [sys.executable, str(IMAGE / "terminal" / "requirements"), *map(str, LOCKS)],
        capture_output=True,
        text=True,
        check=True,
    )
    names = [
        line.split("==")[0] for line in done.stdout.splitlines() if "==" in line and not line.startswith(" ")
    ]
    assert "pygame" not in names
    assert len(names) == len(set(names))
    assert {"gpiozero", "msgspec", "hatchling", "pyserial"} <= set(names)


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
