import shutil
import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from image.recipe.card import cpio


def test_the_archive_is_read_by_cpio_itself(tmp_path: Path) -> None:
    program = shutil.which("cpio")
    assert program is not None, "cpio is missing: apt install cpio"
    entries = {
        "init": cpio.file(b"#!/bin/sh\n", executable=True),
        "lib/modules/1/x.ko": cpio.file(b"abc"),
        "bin/sh": cpio.link("busybox"),
        "dev": cpio.folder(),
    }
    subprocess.run([program, "-i", "-d", "--quiet"], input=cpio.archive(entries), cwd=tmp_path, check=True)
    assert (tmp_path / "lib/modules/1/x.ko").read_bytes() == b"abc"
    assert (tmp_path / "bin/sh").readlink() == Path("busybox")
    assert (tmp_path / "init").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "dev").is_dir()


@given(st.dictionaries(st.sampled_from(["a", "b/c", "b/d", "e/f/g"]), st.binary(max_size=20)))
def test_order_does_not_matter_and_folders_come_before_what_is_in_them(files: dict[str, bytes]) -> None:
    entries = {name: cpio.file(content) for name, content in files.items()}
    turned = dict(reversed(entries.items()))
    whole = cpio.archive(entries)
    assert whole == cpio.archive(turned)
    assert len(whole) % 512 == 0
    for name in entries:
        if "/" in name:
            folder = name.rpartition("/")[0].encode()
            assert whole.index(folder + b"\0") < whole.index(name.encode() + b"\0")
