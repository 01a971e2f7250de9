"""The documentation: links work, pictures are small, the reference is complete, notebooks run."""

import importlib
import importlib.util
import json
import os
import pkgutil
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import sumito
from sumito.server.base.settings import Settings
from support.optional_parts import REASONS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")])

SPEC = importlib.util.spec_from_file_location("links_script", ROOT / "scripts" / "links.py")
links = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(links)

INSIDE = {
    "__main__": "what `python -m sumito` runs",
    "cli": "its reference is `sumito --help`",
    "server": "its reference is docs/reference/server.md and /openapi.json",
    "tui": "for people, not for programs",
    "kernel": "the C++ kernel, behind `sumito.engine`, `sumito.lab` and `sumito.env`",
    "protocol": "its reference is docs/reference/server.md and /openapi.json",
    "data": "no modules",
    "locale": "no modules",
    "validate": "checks of arguments, for the package itself",
}
"""Parts of the package that the reference leaves out, and why."""


def markdown_files():
    return [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("web/*/README.md")]


def test_links_between_files_work():
    assert list(links.broken_in_markdown(ROOT, markdown_files())) == []


def test_links_of_notebooks_work():
    for file in DOCS.rglob("*.ipynb"):
        for cell in json.loads(file.read_text("utf-8"))["cells"]:
            for link in re.findall(r"\]\(([^)#]+)", "".join(cell["source"])):
                assert cell["cell_type"] != "markdown" or (file.parent / link).exists(), link


def test_every_public_module_is_in_the_reference():
    pages = "".join(file.read_text("utf-8") for file in (DOCS / "reference" / "api").glob("*.md"))
    named = {name.split(".")[0] for name in re.findall(r"^::: sumito\.(\S+)$", pages, re.MULTILINE)}
    public = {module.name for module in pkgutil.iter_modules(sumito.__path__)}
    assert public - named == INSIDE.keys() & public


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages = [page.relative_to(DOCS).as_posix() for page in PAGES]
    assert [page for page in pages if page not in navigation] == []


@pytest.mark.parametrize(
    ("name", "limit"),
    [("page-light.webp", 200_000), ("page-dark.webp", 200_000), ("game.svg", 500_000)],
)
def test_pictures_of_the_readme_are_small(name, limit):
    assert f"docs/figures/{name}" in (ROOT / "README.md").read_text("utf-8")
    assert 1_000 < (DOCS / "figures" / name).stat().st_size < limit


def test_the_settings_of_the_server_are_those_of_the_code():
    text = (DOCS / "reference" / "server-settings.md").read_text("utf-8")
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `SUM")]
    documented = {row[0].strip(" `"): row[-2].strip() for row in rows}
    defaults = {f"SUMITO_{each.name.upper()}": str(each.default) for each in fields(Settings)}
    assert documented.keys() == defaults.keys()
    for name, default in defaults.items():
        assert documented[name] == default or not default, name


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_layers_of_the_contributors_guide_are_the_contract():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contract = pyproject["tool"]["importlinter"]["contracts"][0]["layers"]
    layers = CONTRIBUTING.partition("## Layers")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", layers, re.MULTILINE)
    assert [re.findall(r"`(\w+)`", row) for row in rows] == [
        re.findall(r"\w+", layer) for layer in contract if layer != "__main__"
    ]


ROOTS = (ROOT, ROOT / "src" / "sumito", ROOT / "src" / "sumito" / "server")
"""Where paths in the contributors' guide begin."""
SUFFIXES = {".py", ".hpp", ".cpp", ".ts", ".json"}


def sources():
    for folder in ("src", "core", "web/src", "tests", "scripts"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in SUFFIXES - {".json"} and "node_modules" not in file.parts:
                yield file.read_text("utf-8")


def names_of_sections(*without):
    """Return what the contributors' guide names in backticks, outside fenced code."""
    sections = re.split(r"^## ", CONTRIBUTING, flags=re.MULTILINE)
    prose = "\n".join(text for text in sections if not text.lower().startswith(without))
    prose = re.sub(r"^```.*?^```", "", prose, flags=re.MULTILINE | re.DOTALL)
    return sorted(set(re.findall(r"`([^`\n]+)`", prose)))


def test_what_the_contributors_guide_names_exists():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    markers = {each.split(":")[0] for each in pyproject["tool"]["pytest"]["ini_options"]["markers"]}
    definition = re.compile(
        r"\b(?:def|class|struct|function|const|import)\s+(\w+)|^\s*(\w+)\s*[:=(]", re.MULTILINE
    )
    defined = {name for code in sources() for pair in definition.findall(code) for name in pair}
    missing = []
    for name in names_of_sections("the page"):
        if re.fullmatch(r"[\w.-]+/[\w./-]*|\w+\.(md|toml|py)", name):
            found = any((root / name).exists() for root in ROOTS) or name.startswith("build/")
        elif re.fullmatch(r"[A-Za-z_][\w.]*", name):
            last = name.rpartition(".")[2]
            found = (
                any((root / last).exists() for root in ROOTS)
                or any(ROOTS[-1].rglob(f"{last}.py"))
                or last in defined
            )
        else:
            continue
        if not found and name not in markers | {"True"}:
            missing.append(name)
    assert missing == []


def resolves(name):
    """Is a dotted name a module of the package, or something in one?"""
    found, *parts = name.split(".")
    found = importlib.import_module(found)
    for part in parts:
        if hasattr(found, part):
            found = getattr(found, part)
        elif importlib.util.find_spec(f"{found.__name__}.{part}") is None:
            return False
        else:
            try:
                found = importlib.import_module(f"{found.__name__}.{part}")
            except ImportError:  # it needs an extra that isn't installed here
                return True
    return True


@pytest.mark.parametrize(
    "file",
    [*ROOT.glob("*.md"), *(page for page in PAGES if "experiments" not in page.parts)],
    ids=lambda file: file.relative_to(ROOT).as_posix(),
)
def test_names_of_the_library_in_the_docs_exist(file):
    names = set(re.findall(r"\bsumito(?:\.[A-Za-z_]\w*)+", file.read_text("utf-8")))
    ends = ("service", "sqlite", "sqlite3")
    assert [name for name in sorted(names) if not name.endswith(ends) and not resolves(name)] == []


DATED = (
    r"whoever|anew|nought|so many|one who|for want of|is no more|gone on|goes? on with|tells? of"
)
"""Words that modern English has others for."""
STALE = r"given up|shipped"
"""Words of claims that grow stale."""
AVOIDED = re.compile(rf"\b({DATED})\b", re.IGNORECASE)
AVOIDED_IN_DOCS = re.compile(rf"\b({DATED}|{STALE})\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "file",
    [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))],
    ids=lambda file: file.relative_to(ROOT).as_posix(),
)
def test_prose_avoids_dated_words_and_stale_claims(file):
    prose = re.sub(r"^```.*?^```", "", file.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert AVOIDED_IN_DOCS.findall(prose) == []


WITH_THE_NEXT_KERNEL = {"core/eval/network.hpp: so many"}
"""To be changed with the next change of the kernel: a comment alone means compiling it again."""


@pytest.mark.parametrize(
    "folder", ["src", "core", "web", "tests", "scripts", "bench", "examples", ".github"]
)
def test_code_avoids_dated_words(folder):
    """In comments, docstrings, messages and help texts."""
    suffixes = {".py", ".pyi", ".hpp", ".cpp", ".ts", ".mjs", ".css", ".yml", ".md", ""}
    found = [
        f"{file.relative_to(ROOT).as_posix()}: {word}"
        for file in written_files(ROOT / folder)
        if file.suffix in suffixes and file != Path(__file__)
        for word in AVOIDED.findall(file.read_text("utf-8"))
    ]
    assert set(found) - WITH_THE_NEXT_KERNEL == set()


def written_files(folder):
    """Yield the files of a folder but those that are built or fetched."""
    for place, folders, names in os.walk(folder):
        folders[:] = set(folders) - {"node_modules", "static", "stored", "dist", "__pycache__"}
        yield from (Path(place) / name for name in names)


def test_experiments_are_dated_and_listed():
    pages = {page.name for page in (DOCS / "experiments").glob("*.md")} - {"index.md"}
    assert all(re.match(r"\d{4}-\d\d-\d\d-[a-z-]+\.md$", page) for page in pages)
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "experiments/index.md").read_text("utf-8"))
    assert sorted(listed) == sorted(pages)


def test_the_link_checker_finds_what_is_broken(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "index.html").write_text('<h1 id="top">x</h1><a href="../">home</a>')
    (tmp_path / "index.html").write_text(
        '<a href="other/#top">a</a> <a href="other/#down">b</a> <img src="none.svg">'
        '<a href="https://example.org/none">c</a> <a href="#here">d</a>'
    )
    assert list(links.broken_in_site(tmp_path)) == [
        "index.html: other/#down names a place that isn't there",
        "index.html: none.svg leads nowhere",
        "index.html: #here names a place that isn't there",
    ]


@pytest.mark.parametrize("file", sorted(DOCS.rglob("*.ipynb")), ids=lambda file: file.stem)
@pytest.mark.filterwarnings("ignore")
def test_notebooks_run(file):
    nbclient = pytest.importorskip("nbclient", reason=REASONS["docs"])
    pytest.importorskip("ipykernel", reason=REASONS["docs"])
    import nbformat

    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [set(output.get("data", {})) for cell in code for output in cell.outputs]
    assert sum("image/svg+xml" in data for data in shown) >= 3
