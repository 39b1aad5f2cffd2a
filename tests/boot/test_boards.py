"""Tests of the parts that trials in emulated boards rest on, without a board."""

import contextlib
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.enrolment.provisioning import StationPart, provisioning_of, provisioning_text
from sync.tls.certificates import own_identity
from tests.boot.__main__ import TRIALS, chosen
from tests.boot.board import Arch, BadTree, Kernel, Node, Tree, Wiring, arguments, blob_of, pi_3b, tree_of
from tests.boot.disk import BadImage, Partition, SlowCard, blank_stick, faults_of, found_in, partitions_of
from tests.boot.host_station import by_cable_only, with_key
from tests.boot.machine import Console, Heard, Lines, Message, MonitorFault, offset_of, request
from tests.boot.site import Measured, Outcome, Report, Verdict, command_line, keep, read, value_of, words_of

SPOKEN = (
    b'{"QMP": {"version": {}, "capabilities": []}}\r\n'
    b'{"timestamp": {"seconds": 1}, "event": "RESET", "data": {"guest": false}}\r\n'
    b'{"return": {}}\r\n'
    b'{"error": {"class": "GenericError", "desc": "no such device"}}\r\n'
)


@given(st.lists(st.integers(min_value=1, max_value=40), max_size=30))
def test_a_monitor_is_understood_however_its_bytes_are_cut(cuts: list[int]) -> None:
    lines, rest = Lines(), SPOKEN
    messages: list[Message] = []
    for cut in cuts:
        messages += lines.feed(rest[:cut])
        rest = rest[cut:]
    messages += lines.feed(rest)
    greeting, event, answer, refusal = messages
    assert bytes(greeting.greeting)
    assert event.event == "RESET"
    assert bytes(answer.answer) == b"{}"
    assert refusal.error is not None
    assert refusal.error.desc == "no such device"


@given(st.binary(max_size=200))
def test_whatever_is_no_monitor_is_a_fault(junk: bytes) -> None:
    lines = Lines()
    with contextlib.suppress(MonitorFault):
        lines.feed(junk + b"\n")


def test_a_line_that_never_ends_is_not_kept() -> None:
    lines = Lines()
    with pytest.raises(MonitorFault):
        lines.feed(b"x" * (2 << 20))


def test_a_command_is_one_line() -> None:
    said = request("screendump", {"filename": "a\nb"})
    assert said.count(b"\n") == 1
    assert said.endswith(b"\n")


@pytest.mark.parametrize("arch", list(Arch))
def test_a_board_never_writes_the_image_and_never_needs_the_machines_help(arch: Arch, tmp_path: Path) -> None:
    wiring = Wiring(disk=tmp_path / "card.qcow2", folder=tmp_path, ssh_port=2222)
    said = " ".join(arguments(arch, wiring, Kernel(Path("k"), Path("i"), "quiet")))
    assert "format=qcow2" in said
    assert "kvm" not in said
    assert "tcg" in said
    assert "chardev" not in said


def test_a_pi_gets_its_card_in_its_own_slot_and_the_images_device_tree(tmp_path: Path) -> None:
    said = " ".join(
        pi_3b(tmp_path / "card.qcow2", tmp_path, Kernel(Path("k"), Path("i"), "quiet"), Path("tree"))
    )
    assert "-M raspi3b" in said
    assert "if=sd,format=qcow2" in said
    assert "-dtb tree" in said
    assert "virtio" not in said


@pytest.mark.skipif(not shutil.which("qemu-io"), reason="needs qemu-utils")
def test_a_slow_card_keeps_what_is_written_and_takes_its_time_to_flush(tmp_path: Path) -> None:
    (tmp_path / "card").write_bytes(bytes(1 << 20))
    steps = ("write -P 7 4096 8192", "flush", "read -P 7 4096 8192", "read -P 0 0 4096")
    with SlowCard(tmp_path / "card", tmp_path / "socket") as card:
        done = subprocess.run(
            [
                *("qemu-io", "--image-opts", f"driver=nbd,path={tmp_path / 'socket'}"),
                *(word for step in steps for word in ("-c", step)),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    assert "failed" not in done.stdout
    assert card.flushes >= 1
    with (tmp_path / "card").open("rb") as file:
        assert file.read(12288).count(7) == 8192


def test_a_cable_is_a_serial_port_of_its_own(tmp_path: Path) -> None:
    wiring = Wiring(disk=tmp_path / "c", folder=tmp_path, ssh_port=1, serial=Path("/dev/pts/9"))
    said = " ".join(arguments(Arch.ARM64, wiring, None))
    assert "serial,id=cable,path=/dev/pts/9" in said
    assert "pci-serial,chardev=cable" in said


def test_the_consoles_of_the_pi_give_way_to_that_of_the_emulated_board() -> None:
    own = "console=tty1 console=serial0,115200 saloon.disk=5396f211 quiet"
    said = command_line(own, Arch.ARM64, "loglevel=7")
    assert said == "saloon.disk=5396f211 quiet console=ttyAMA0 loglevel=7"


def test_the_words_for_the_kernel_are_found_in_a_pis_file_and_in_a_loaders_entry() -> None:
    assert words_of("saloon.disk=1 quiet\n") == "saloon.disk=1 quiet"
    assert words_of("title Saloon\nlinux /vmlinuz\noptions saloon.disk=1 quiet\n") == "saloon.disk=1 quiet"


def sector(*entries: tuple[int, int, int]) -> bytes:
    rows = [bytes([0, 0, 0, 0, kind, 0, 0, 0]) + struct.pack("<II", a, n) for kind, a, n in entries]
    return bytes(446) + b"".join(rows).ljust(64, b"\0") + b"\x55\xaa"


def test_partitions_are_read_from_the_table() -> None:
    assert partitions_of(sector((0x0C, 8192, 262144), (0x83, 270336, 385024))) == (
        Partition(1, 0x0C, 4 << 20, 128 << 20),
        Partition(2, 0x83, 132 << 20, 188 << 20),
    )


def test_what_was_written_is_found_wherever_it_lies(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with disk.open("wb") as file:
        file.truncate(64 << 20)
        file.seek((33 << 20) - 3)
        file.write(b"a secret")
    assert found_in(disk, ("a secret", "another")) == ("a secret",)


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("mformat") and shutil.which("fsck.fat")), reason="needs mtools, dosfstools"
)
def test_a_new_stick_has_one_sound_partition_of_fat(tmp_path: Path) -> None:
    stick = blank_stick(tmp_path / "stick", 64 << 20)
    stick.put("note.txt", b"x")
    assert stick.names() == ("note.txt",)
    assert faults_of(stick.path, tmp_path / "fat") == ""


@pytest.mark.parametrize("junk", [b"", bytes(512), b"\xff" * 100])
def test_a_sector_that_is_no_table_is_told(junk: bytes) -> None:
    with pytest.raises(BadImage):
        partitions_of(junk)


def test_a_device_tree_is_what_it_was_after_reading_and_writing_and_says_what_it_is_told() -> None:
    root = Node("", {"model": b"linux,dummy-virt\0", "odd": b"\1\2\3"})
    root.child("gpio-keys").child("poweroff").properties["label"] = b"Poweroff\0"
    root.child("cpus").properties["odd"] = b""
    tree = Tree(root, bytes(16), 0)
    assert tree_of(blob_of(tree)) == tree
    root.child("system").properties["linux,revision"] = b"\x00\xc0\x31\x14"
    root.without("gpio-keys")
    changed = tree_of(blob_of(tree)).root
    assert [child.name for child in changed.children] == ["cpus", "system"]
    assert changed.child("system").properties == {"linux,revision": b"\x00\xc0\x31\x14"}


def test_octets_that_are_no_device_tree_are_told() -> None:
    with pytest.raises(BadTree):
        tree_of(b"\xd0\x0d\xfe\xed")
    with pytest.raises(BadTree):
        tree_of(bytes(100))


def test_a_console_is_read_as_it_grows_and_a_prompt_is_no_line(tmp_path: Path) -> None:
    file = tmp_path / "console.log"
    console = Console(file)
    console.look()
    file.write_bytes(b"[    1.000000] one\r\n[    2.5000")
    console.look()
    assert [line.text for line in console.lines] == ["[    1.000000] one"]
    with file.open("ab") as out:
        out.write(b"00] two\r\nsaloon login: ")
    console.look()
    assert console.lines[-1].kernel_s == 2.5
    assert console.unfinished == "saloon login: "
    assert console.said("two") is console.lines[-1]


def test_the_kernels_clock_is_told_by_the_line_that_came_soonest() -> None:
    lines = [Heard(100.9, "[    0.100000] a"), Heard(101.0, "no stamp"), Heard(103.05, "[    3.000000] b")]
    assert offset_of(lines) == pytest.approx(100.05)
    assert offset_of([]) is None


def test_a_file_of_the_station_becomes_one_for_a_cable_and_an_engineer(tmp_path: Path) -> None:
    certificate = own_identity(tmp_path, "station")[1].read_text()
    given_text = provisioning_text(StationPart(certificate, ("10.0.0.1:7373",)), None, "once")
    provisioning = provisioning_of(with_key(by_cable_only(given_text, "/dev/ttyS0"), ENGINEER), "file")
    assert provisioning.station.addresses == ()
    assert provisioning.terminal.serial == "/dev/ttyS0"
    assert provisioning.terminal.token == "once"
    assert provisioning.service.ssh_key == ENGINEER


ENGINEER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIzkq3etikmFWcCDACjrJESpnPNHjPMx15fB1iTpuJot engineer"


def test_a_report_is_kept_and_a_trial_replaces_its_former_outcome(tmp_path: Path) -> None:
    first = Outcome("frame", "arm64", Verdict.BROKE, why="dark")
    other = Outcome("frame", "amd64", Verdict.HELD)
    again = Outcome("frame", "arm64", Verdict.HELD, 80.0, (Measured("first frame", 31.5, "s"),))
    report = Report("").with_outcome(first, "1").with_outcome(other, "2")
    assert not report.held()
    report = report.with_outcome(again, "3")
    assert report.held()
    keep(report, tmp_path / "made" / "report.json")
    assert read(tmp_path / "made" / "report.json") == report
    assert value_of(report.outcomes, "arm64", "first frame") == 31.5
    assert read(tmp_path / "none.json") is None


def test_trials_are_chosen_by_name_keep_their_order_and_have_a_board() -> None:
    assert [one.name for one in chosen("game,frame")] == ["frame", "game"]
    assert chosen("") == TRIALS
    assert {one.name for one in TRIALS if one.image == "station"} == {"station", "card", "stick", "air"}
    assert all(one.boards and one.what for one in TRIALS)
