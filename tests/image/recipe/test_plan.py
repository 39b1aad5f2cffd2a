import msgspec
import pytest

from base.errors import BadData
from image.recipe.checkout import CHECKOUT
from image.recipe.contents import Contents, contents_of
from image.recipe.plan import Plan, Source, Stage, cache_name, plan_of
from image.recipe.target import Architecture, Kind, Target

CONTENTS = contents_of(CHECKOUT / "image/packages.toml")
PARTS = ("layers", "app", "initramfs", "root", "boot")
TARGET = Target(Kind.TERMINAL, Architecture.ARM64)
SOURCE = Source("1.0", "abc", 1_700_000_000, dict.fromkeys(PARTS, "0"))


def plan(
    contents: Contents = CONTENTS, source: Source = SOURCE, target: Target = TARGET, sources: str = "x"
) -> Plan:
    return plan_of(target, contents, sources, source, frozenset())


def changed(other: Plan) -> set[Stage]:
    return {ours.stage for ours, theirs in zip(plan().steps, other.steps, strict=True) if ours != theirs}


def test_the_same_inputs_are_the_same_plan() -> None:
    assert plan() == plan()
    assert [step.stage for step in plan().steps] == list(Stage)


@pytest.mark.parametrize(
    ("part", "stages"),
    [
        ("layers", set(Stage) - {Stage.APP}),
        ("app", {Stage.APP, Stage.INITRAMFS, Stage.ROOT, Stage.DISK}),
        ("initramfs", {Stage.INITRAMFS, Stage.DISK}),
        ("root", {Stage.ROOT, Stage.DISK}),
        ("boot", {Stage.DISK}),
    ],
)
def test_a_changed_file_changes_the_steps_that_use_it_and_no_other(part: str, stages: set[Stage]) -> None:
    source = msgspec.structs.replace(SOURCE, files={**SOURCE.files, part: "1"})
    assert changed(plan(source=source)) == stages


def test_a_package_of_a_kind_leaves_the_base_as_it_is() -> None:
    more = msgspec.structs.replace(CONTENTS.terminal, packages=(*CONTENTS.terminal.packages, "sound"))
    contents = msgspec.structs.replace(CONTENTS, terminal=more)
    assert changed(plan(contents)) == {Stage.KIND, Stage.INITRAMFS, Stage.ROOT, Stage.DISK}


def test_no_image_has_the_driver_for_opengl() -> None:
    for kind in Kind:
        of_kind = CONTENTS.of_kind(kind)
        assert "mesa-libgallium" in of_kind.left_out
        assert not set(of_kind.left_out) & {*of_kind.packages, *of_kind.unpacked}


def test_terminal_and_station_share_the_base() -> None:
    station = plan(target=Target(Kind.STATION, Architecture.ARM64))
    assert station.step(Stage.BASE) == plan().step(Stage.BASE)
    assert station.step(Stage.KIND) != plan().step(Stage.KIND)


def test_a_new_commit_makes_no_package_anew() -> None:
    source = msgspec.structs.replace(SOURCE, commit="def", epoch=1_700_000_001)
    assert changed(plan(source=source)) == {Stage.APP, Stage.INITRAMFS, Stage.ROOT, Stage.DISK}


def test_other_sources_are_another_base() -> None:
    assert Stage.BASE in changed(plan(sources="y"))


def test_a_layer_in_the_cache_is_seen() -> None:
    name = cache_name(TARGET, plan().step(Stage.BASE))
    again = plan_of(TARGET, CONTENTS, "x", SOURCE, frozenset({name}))
    assert again.step(Stage.BASE).cached
    assert not again.step(Stage.KIND).cached


def test_a_processor_gets_its_own_kernel() -> None:
    for architecture in Architecture:
        unpacked = CONTENTS.base(Target(Kind.TERMINAL, architecture)).unpacked
        assert f"linux-image-{architecture.value}" in unpacked
        assert ("raspi-firmware" in unpacked) == (architecture is Architecture.ARM64)


def test_a_wrong_list_of_packages_is_named_with_its_key(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("contents") / "packages.toml"
    text = (CHECKOUT / "image/packages.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("[files]", "[files]\nexcludde = []"), encoding="utf-8")
    with pytest.raises(BadData, match="excludde"):
        contents_of(path)
