"""Check the links of a built site: python scripts/links.py FOLDER

Every link of a page must lead to a file of the site, and every `#place` to a place on that page.
Links to other hosts are not followed. Prints what is broken, and fails if anything is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_OTHER_HOST = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_MARKDOWN = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|\b(?:src|srcset|href)=\"([^\"]+)\"")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


class _Page(HTMLParser):
    """The links of a page, and the places in it that a link can name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)
            elif name in ("href", "src") and tag != "base":
                self.links.append(value)


def broken_in_site(folder: Path) -> Iterator[str]:
    """Yield the broken links of a built site."""
    pages = {file: _Page(file.read_text("utf-8")) for file in sorted(folder.rglob("*.html"))}
    for file, page in pages.items():
        if file.name == "404.html":  # its addresses begin at the site's root
            continue
        for link in page.links:
            if _OTHER_HOST.match(link):
                continue
            parts = urlsplit(link)
            target = file if not parts.path else _target(folder, file, unquote(parts.path))
            name = file.relative_to(folder).as_posix()
            if not target.is_file():
                yield f"{name}: {link} leads nowhere"
            elif target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{name}: {link} names a place that isn't there"


def _target(folder: Path, file: Path, path: str) -> Path:
    target = folder / path.lstrip("/") if path.startswith("/") else file.parent / path
    return (target / "index.html" if target.is_dir() else target).resolve()


def broken_in_markdown(root: Path, files: list[Path]) -> Iterator[str]:
    """Yield the broken links of Markdown files; anchors are not checked."""
    for file in files:
        for match in _MARKDOWN.finditer(_FENCE.sub("", file.read_text("utf-8"))):
            link = match[1] or match[2]
            path = unquote(link.partition("#")[0])
            if path and not _OTHER_HOST.match(path) and not (file.parent / path).exists():
                yield f"{file.relative_to(root).as_posix()}: {link} leads nowhere"


def main() -> None:
    """Check the site in the folder given as argument."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).resolve()
    broken = list(broken_in_site(folder))
    pages = sum(1 for _ in folder.rglob("*.html"))
    print(*broken, f"{pages} pages, {len(broken)} broken links", sep="\n")
    sys.exit(bool(broken) or not pages)


if __name__ == "__main__":
    main()
