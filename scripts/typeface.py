"""Subset the page's typeface: python scripts/typeface.py FILE

FILE is `nunito-latin-wght-normal.woff2` of the npm package `@fontsource-variable/nunito`. The
subset has the letters of the page's languages and the weights 400 to 800, and no more than 30 kB.
Needs fonttools and brotli from PyPI.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Final

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

TARGET: Final = Path(__file__).parent.parent / "web/src/ui/styles/fonts/nunito.woff2"
WEIGHTS: Final = (400, 800)
CHARACTERS: Final = [
    *range(0x20, 0x7F),
    *(0xA0, 0xA9, 0xAB, 0xB0, 0xB1, 0xB2, 0xB7, 0xBB, 0xBC, 0xBD, 0xBE),
    *range(0xBF, 0x100),
    *(0x152, 0x153, 0x178),
    *(0x2009, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2022, 0x2026),
    *(0x202F, 0x2039, 0x203A, 0x20AC, 0x2122, 0x2212),
]
LARGEST: Final = 30_000
"""Bytes: it is fetched with the first page."""


def main() -> None:
    """Write the subset of the typeface that the command line names."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    instance = io.BytesIO()
    instancer.instantiateVariableFont(TTFont(sys.argv[1]), {"wght": WEIGHTS}).save(instance)
    font = TTFont(instance)
    options = subset.Options(flavor="woff2", layout_features=["kern", "liga", "ccmp", "mark"])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    subset.save_font(font, TARGET, options)
    if (size := TARGET.stat().st_size) > LARGEST:
        raise SystemExit(f"{TARGET.name} has {size} bytes, more than {LARGEST}")


if __name__ == "__main__":
    main()
