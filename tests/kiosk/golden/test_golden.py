"""The important scenes look the same as when somebody last approved their pictures."""

from pathlib import Path

import pytest
from PIL import Image

from tests.kiosk.golden.pictures import (
    DRAW_ANEW,
    FAILED,
    FOLDER,
    GOLDEN,
    SHARE,
    Golden,
    picture_of,
    regions_of,
    screen_of,
    share_off,
)
from tools import pictures_kiosk
from tools.shown_pictures import PICTURES, shown_pictures


@pytest.mark.slow
@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_a_scene_looks_as_it_did(golden: Golden) -> None:
    screen = screen_of(golden)
    actual = picture_of(screen)
    with Image.open(FOLDER / f"{golden.name}.png") as file:
        expected = file.convert("RGB")
    assert actual.size == expected.size
    wrong = []
    for name, rect in regions_of(golden, screen):
        box = (rect.x, rect.y, rect.right, rect.bottom)
        off, _ = share_off(actual.crop(box), expected.crop(box))
        if off > SHARE:
            wrong.append(f"{name}: {off:.1%}")
    if wrong:
        FAILED.mkdir(parents=True, exist_ok=True)
        actual.save(FAILED / f"{golden.name}-actual.png")
        share_off(actual, expected)[1].save(FAILED / f"{golden.name}-difference.png")
    hint = f"look at {FAILED}/{golden.name}-*.png; where it was meant: {DRAW_ANEW}"
    assert not wrong, f"{', '.join(wrong)} differ from {golden.name}.png; {hint}"


@pytest.mark.slow
def test_the_docs_show_the_scenes_as_they_are() -> None:
    glass, seats = pictures_kiosk.GLASSES[pictures_kiosk.BEST.size]
    pictured = {Path(name).stem for name in shown_pictures() if name.startswith("kiosk/")}
    old = []
    for prefix, moment in pictures_kiosk.every_moment(seats):
        if (name := f"{prefix}{moment.picture}") not in pictured:
            continue
        actual = picture_of(pictures_kiosk.shown(glass, moment, pictures_kiosk.BEST))
        with Image.open(PICTURES / "kiosk" / f"{name}.png") as file:
            if actual.size != file.size or share_off(actual, file.convert("RGB"))[0] > SHARE:
                old.append(name)
    assert not old, f"draw {', '.join(old)} again: python -m tools.pictures_kiosk --best"


def test_letters_may_stand_a_pixel_off_and_a_missing_bullet_is_seen() -> None:
    golden = next(golden for golden in GOLDEN if golden.picture == "play")
    screen = screen_of(golden)
    picture = picture_of(screen)
    moved = Image.new("RGB", picture.size)
    moved.paste(picture, (1, 0))
    name, rect = next(region for region in regions_of(golden, screen) if region[0] == "seat-1")
    box = (rect.x + 2, rect.y + 2, rect.right - 2, rect.bottom - 2)
    assert share_off(picture.crop(box), moved.crop(box))[0] <= SHARE, name
    damaged = picture.copy()
    # Eight by twenty pixels are smaller than a bullet of that card.
    damaged.paste((255, 0, 255), (rect.x + 40, rect.y + 40, rect.x + 48, rect.y + 60))
    assert share_off(damaged.crop(box), picture.crop(box))[0] > SHARE


def test_every_golden_picture_belongs_to_a_scene() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == {golden.name for golden in GOLDEN}
