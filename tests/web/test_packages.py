"""The packages for other pages: packed, unpacked as npm would, opened without a build step."""

import json
import shutil
import subprocess
import tarfile

import pytest
from playwright.sync_api import expect

from support.browser import DESKTOP, ROOT, Visitor
from support.optional_parts import REASONS
from support.processes import plain_files

NAMES = {"sumito-kernel": "kernel", "sumito-board": "board-package"}


@pytest.fixture(scope="module")
def modules(built, tmp_path_factory):
    """A project that has installed both packages, on a web server."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(REASONS["node"])
    root = tmp_path_factory.mktemp("project")
    for name, folder in NAMES.items():
        packed = subprocess.run(
            [npm, "pack", "--json", "--pack-destination", root],
            cwd=ROOT / "web" / folder,
            capture_output=True,
            text=True,
            check=True,
        )
        (told,) = json.loads(packed.stdout[packed.stdout.index("[") :])
        with tarfile.open(root / told["filename"]) as package:
            package.extractall(root / "unpacked", filter="data")
        installed = root / "node_modules" / name
        shutil.move(root / "unpacked" / "package", installed)
        assert list(installed.rglob("index.d.ts")), "a package without types"
    with plain_files(root) as url:
        yield f"{url}/node_modules"


@pytest.fixture
def visitor(chromium, modules):
    context = chromium.new_context(**DESKTOP)
    visitor = Visitor(context.new_page(), modules, touch=False)
    yield visitor
    context.close()
    assert visitor.faults == []


def assert_wooden(visitor):
    """The board brings its colours along."""
    wood = visitor.page.locator(".board-frame").evaluate("one => getComputedStyle(one).fill")
    assert wood not in ("none", "rgb(0, 0, 0)")


NOTEBOOK = """
import widget from "./widget.js";
const heard = {};
window.sent = [];
window.shown = SHOWN;
const model = {
  get: () => shown,
  on: (event, listener) => { heard[event] = listener; },
  off: () => undefined,
  send: (content) => sent.push(content),
};
window.change = (next) => { shown = next; heard["change:shown"](); };
document.body.append(document.createElement("div"));
widget.render({ model, el: document.querySelector("div") });
"""


PAGE = """<!doctype html><title>Notebook</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="widget.css"><body><script type="module">SCRIPT</script>"""


def test_the_board_of_a_notebook_is_played_on(chromium, built, tmp_path):
    pytest.importorskip("anywidget", reason=REASONS["notebook"])
    from sumito.notebook import BoardWidget

    widget = BoardWidget()
    shutil.copytree(ROOT / "src/sumito/notebook/static", tmp_path, dirs_exist_ok=True)
    script = NOTEBOOK.replace("SHOWN", json.dumps(widget.shown))
    (tmp_path / "index.html").write_text(PAGE.replace("SCRIPT", script), "utf-8")
    with plain_files(tmp_path) as url:
        context = chromium.new_context(**DESKTOP)
        visitor = Visitor(context.new_page(), url, touch=False)
        visitor.go("/")
        visitor.tap("c3", "d3")
        visitor.page.wait_for_function("() => sent.length === 1")
        (sent,) = visitor.page.evaluate("sent")
        widget._handle_custom_msg(sent, [])
        assert [move.name for move in widget.board.moves] == ["c3d3"]
        visitor.page.evaluate("next => change(next)", widget.shown)
        visitor.sees("d3", "black")
        expect(visitor.page.locator(".sumito-says")).to_contain_text("white to move")
        visitor.picture("notebook")
        assert_wooden(visitor)
        context.close()
        assert visitor.faults == []


def test_the_engine_plays_in_a_page_of_its_own(visitor):
    visitor.go("/sumito-kernel/example/index.html")
    expect(visitor.page.locator("#says")).to_contain_text("plays")
    assert len(visitor.page.locator("#board").inner_text().splitlines()) == 9


def test_a_board_in_a_page_of_its_own_is_played_on(visitor):
    visitor.go("/sumito-board/example/index.html")
    expect(visitor.page.locator("#says")).to_contain_text("black to move")
    visitor.tap("c3", "d3")
    visitor.sees("d3", "black")
    expect(visitor.page.locator("#says")).to_contain_text("white to move")
    visitor.picture("board-package")
    assert_wooden(visitor)
