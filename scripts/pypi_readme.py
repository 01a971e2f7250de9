"""Write PYPI.md, the description on PyPI, from README.md: python scripts/pypi_readme.py

On PyPI relative links and pictures don't work, and the project has no address of its own to make
them absolute. So links become plain text, and pictures are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
TARGET: Final = ROOT / "PYPI.md"

_MARK: Final = "<!-- Written by scripts/pypi_readme.py from README.md. -->\n"
_PICTURE: Final = re.compile(r"(?:<picture>.*?</picture>|<img [^>]*>)\n\n", re.DOTALL)
_CHECKOUT: Final = re.compile(r"From a checkout .*?```\n.*?```\n\n", re.DOTALL)
_READ_ON: Final = re.compile(r"## Read on\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
_RELATIVE: Final = re.compile(r"\[([^\]]*)\]\((?!https?://)[^)]*\)")
_DOCUMENTATION: Final = """\
## Documentation

`sumito --help` lists the commands, `sumito rules` has the rules with figures, and `help(sumito)`
leads through the library. The source package has all pages in `docs/`.

"""


def description(readme: str) -> str:
    """Return the README without the parts that need the repository."""
    text = _CHECKOUT.sub("", _PICTURE.sub("", readme))
    return _MARK + _RELATIVE.sub(r"\1", _READ_ON.sub(_DOCUMENTATION, text))


if __name__ == "__main__":
    TARGET.write_text(description((ROOT / "README.md").read_text("utf-8")), "utf-8")
