import uuid

from hypothesis import given
from hypothesis import strategies as st

from image.recipe.card.layout import ALIGNED, MIB, SECTOR, identifier_of, laid_out, uuid_of
from image.recipe.target import Architecture, Kind, Target

TARGETS = [Target(kind, architecture) for kind in Kind for architecture in Architecture]
SIZES = st.integers(min_value=1, max_value=8 * 1024 * MIB)


@given(st.sampled_from(TARGETS), SIZES, SIZES, SIZES)
def test_partitions_hold_their_parts_are_aligned_and_never_overlap(
    target: Target, boot: int, root: int, data: int
) -> None:
    disk = laid_out(target, boot, root, data)
    end = SECTOR
    for part, size in zip(disk.partitions, (boot, root, data), strict=True):
        assert part.start >= end
        assert part.start % ALIGNED == part.size % ALIGNED == 0
        assert part.size >= size
        end = part.end
    assert disk.size == end


def test_a_pi_and_a_pc_find_their_boot_partition() -> None:
    kinds = {t.architecture: laid_out(t, MIB, MIB, MIB).partitions[0].mbr_type for t in TARGETS}
    assert kinds == {Architecture.ARM64: "c", Architecture.AMD64: "ef"}


def test_every_target_has_its_own_disk_and_keeps_it() -> None:
    assert len({identifier_of(target) for target in TARGETS}) == len(TARGETS)
    assert identifier_of(Target(Kind.TERMINAL, Architecture.ARM64)) == "5396f211"
    names = {uuid_of(target, part) for target in TARGETS for part in ("boot", "data")}
    assert len(names) == 2 * len(TARGETS)
    assert all(str(uuid.UUID(name)) == name for name in names)


def test_the_table_is_said_in_sectors() -> None:
    script = laid_out(TARGETS[0], 128 * MIB, 5, 64 * MIB).script()
    assert "label-id: 0x" in script
    assert "start=8192, size=262144, type=c, bootable" in script
    assert "start=270336, size=8192, type=83" in script
