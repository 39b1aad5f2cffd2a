"""The fonts of every screen and page: Barlow Condensed for text, Saloon Sign for a few large titles."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "files"
"""Served as it is to browsers: nothing but the fonts and their licences belongs in it."""
SCRIPTS: Final = Path(__file__).parent / "scripts"
"""For names in letters that those fonts lack: Greek, Cyrillic, Hebrew, Arabic, signs."""
HAN: Final = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
"""For Chinese, Japanese and Korean names, where Debian's fonts-wqy-microhei is installed."""
