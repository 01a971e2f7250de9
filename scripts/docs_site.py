"""Hooks of MkDocs: pages from outside docs/, and notebooks as pages.

Files outside docs/ that the documentation links to (`../CONTRIBUTING.md`, `../examples/bot.py`)
become pages of the site, so that the same links work in the repository and on the site.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
OUTSIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "README.md": "index.md",
    "web/kernel/README.md": "reference/sumito-kernel.md",
    "web/board-package/README.md": "reference/sumito-board.md",
    **{f"examples/{file.name}": f"examples/{file.stem}.md" for file in ROOT.glob("examples/*.py")},
}
"""Files of the repository, and the pages they are on the site."""

_LINK = re.compile(r"(?<=\]\()([^)\s#]+)(?=[)#\s])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/, and convert notebooks to pages."""
    for source, page in OUTSIDE.items():
        if page != "index.md":
            files.append(File.generated(config, page, content=_content(source)))
    for file in list(files):
        if file.src_uri.endswith(".ipynb"):
            files.remove(file)
            text = notebook(json.loads(Path(str(file.abs_src_path)).read_text(encoding="utf-8")))
            files.append(File.generated(config, page_of(file.src_uri), content=text))
    return files


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replace notebooks in the navigation by their pages, and add the examples at the end."""
    examples = [{Path(page).stem: page} for page in OUTSIDE.values() if "/" in page]
    navigation = json.loads(json.dumps(config.nav).replace(".ipynb", ".md"))
    config.nav = [*navigation, {"Examples": sorted(examples, key=str)}]
    return config


def page_of(uri: str) -> str:
    """Return the page of a notebook, or the address itself of anything else."""
    return uri.removesuffix(".ipynb") + ".md" if uri.endswith(".ipynb") else uri


def _content(source: str) -> str:
    text = (ROOT / source).read_text(encoding="utf-8")
    if source.endswith(".md"):
        return _rewritten(text, source)
    return f"# `{source}`\n\n```python\n{text}```\n"


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:  # noqa: ANN401
    """Rewrite links that leave docs/ to the pages of those files."""
    if page.file.src_uri in OUTSIDE.values() and page.file.src_uri != "index.md":
        return markdown
    return _rewritten(markdown, f"docs/{page.file.src_uri}")


def _rewritten(markdown: str, source: str) -> str:
    folder = posixpath.dirname(source)
    here = posixpath.dirname(OUTSIDE.get(source, source.removeprefix("docs/")))

    def target(link: re.Match[str]) -> str:
        if re.match(r"[a-z]+:", link[1]):
            return link[1]
        path = posixpath.normpath(posixpath.join(folder, link[1]))
        page = OUTSIDE.get(path, path.removeprefix("docs/") if path.startswith("docs/") else None)
        if page is None:
            return link[1]
        return os.path.relpath(page_of(page), here or ".").replace(os.sep, "/")

    return _LINK.sub(target, markdown)


def notebook(content: dict[str, Any]) -> str:
    """Return a notebook as Markdown: its texts, its code, and the output of the code."""
    parts: list[str] = []
    for cell in content["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{source}\n```")
            parts += filter(None, map(_shown, cell["outputs"]))
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        picture = "".join(data["image/svg+xml"]).strip()
        return f'<div style="max-width: 30rem">{" ".join(picture.split())}</div>'
    text = "".join(output.get("text", data.get("text/plain", "")))
    return f"```\n{text.rstrip()}\n```" if text else ""
