import lzma
import shutil
from pathlib import Path

import pytest

from image.recipe.card.root import unpack_drivers
from image.recipe.run import Commands

DEPMOD = shutil.which("depmod", path="/usr/sbin:/sbin:/usr/bin")


@pytest.mark.skipif(DEPMOD is None, reason="this machine has no depmod")
def test_drivers_are_plain_files_in_an_image_and_the_kernels_list_names_them_so(tmp_path: Path) -> None:
    folder = tmp_path / "root/usr/lib/modules/6.12.0-arm64"
    (folder / "kernel/fs").mkdir(parents=True)
    driver = Path("/bin/true").resolve().read_bytes()
    (folder / "kernel/fs/some.ko.xz").write_bytes(lzma.compress(driver))
    (tmp_path / "root/lib").symlink_to("usr/lib")
    unpack_drivers(tmp_path / "root", Commands(tmp_path / "log", 0))
    assert (folder / "kernel/fs/some.ko").read_bytes() == driver
    assert not list(folder.rglob("*.xz"))
    assert (folder / "modules.dep").read_text(encoding="utf-8").startswith("kernel/fs/some.ko:")
