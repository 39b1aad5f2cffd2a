"""The fonts of every screen and page: Barlow Condensed for text, Saloon Sign for a few large titles."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "files"
"""The folder served to browsers: it contains only the fonts and their licences."""
SCRIPTS: Final = Path(__file__).parent / "scripts"
"""Fallbacks for what those fonts lack: Greek, Cyrillic, Hebrew, Arabic, Thai, Devanagari and symbols."""
HAN: Final = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
"""A fallback for Chinese, Japanese and Korean names, if Debian's fonts-wqy-microhei is installed."""
LAST_LATIN: Final = "\u017f"
"""The last letter of Latin Extended-A, up to which all text faces have the letters."""
