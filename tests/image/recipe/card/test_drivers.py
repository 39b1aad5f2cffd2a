import pytest

from image.recipe.card.drivers import kept_of, name_of, named, names_in, needs_of

MODULES_DEP = """kernel/drivers/gpu/drm/vc4/vc4.ko: kernel/sound/core/snd.ko kernel/drivers/media/cec/cec.ko
kernel/sound/core/snd.ko:
kernel/sound/usb/snd-usb.ko: kernel/sound/core/snd.ko
kernel/drivers/media/cec/cec.ko:
kernel/drivers/media/tv.ko: kernel/drivers/media/cec/cec.ko
kernel/fs/squashfs/squashfs.ko.xz:
"""
NEEDS = needs_of(MODULES_DEP)


def test_what_a_kept_driver_needs_is_kept_also_out_of_an_excluded_folder() -> None:
    kept = {name_of(driver) for driver in kept_of(NEEDS, ("sound", "drivers/media"))}
    assert kept == {"vc4", "snd", "cec", "squashfs"}


def test_nothing_excluded_keeps_everything() -> None:
    assert kept_of(NEEDS, ()) == set(NEEDS)


def test_drivers_are_named_as_the_kernel_does() -> None:
    assert {name_of(d) for d in named(("snd_usb", "squashfs", "built-in"), NEEDS)} == {
        "snd_usb",
        "snd",
        "squashfs",
    }


@pytest.mark.parametrize("text", ["a\n# b\n\n c # d\n", "a\nc"])
def test_a_list_of_names_has_remarks(text: str) -> None:
    assert list(names_in(text)) == ["a", "c"]
