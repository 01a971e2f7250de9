"""`sumito play` where only Python is: the page as plain files."""

import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

import sumito
from sumito.cli import static_server

INDEX = '<html lang="en"><script type="module" src="/assets/main.js"></script></html>'


@pytest.fixture
def built(tmp_path, monkeypatch):
    page = tmp_path / "static"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text(INDEX)
    (page / "assets" / "main.js").write_text("play()")
    (page / "assets" / "kernel.wasm").write_bytes(b"\0asm")
    (tmp_path / "secret").write_text("secret")
    monkeypatch.setattr(static_server, "BUILT", page)
    return page


@contextmanager
def served():
    with static_server.listen(0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


def fetch(url):
    with urllib.request.urlopen(url, timeout=20) as answer:
        return answer.read().decode(), answer.headers["Content-Type"]


@pytest.mark.usefixtures("built")
def test_the_page_is_served_with_relative_addresses_and_right_types():
    with served() as url:
        page, _ = fetch(url)
        assert 'data-site="files"' in page
        assert 'src="./assets/main.js"' in page
        assert fetch(url + "assets/main.js") == ("play()", "text/javascript")
        assert fetch(url + "assets/kernel.wasm")[1] == "application/wasm"


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["", "assets/main.js"])
def test_the_page_is_isolated_so_that_it_may_share_memory(path):
    with served() as url, urllib.request.urlopen(url + path, timeout=20) as answer:
        assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["none.js", "../secret", "%2e%2e/secret", "assets/../../secret"])
def test_nothing_else_is_served(path):
    with served() as url, pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(url + path)


@pytest.mark.usefixtures("built")
def test_a_port_that_is_taken_or_none_is_told(capsys):
    with static_server.listen(0) as server:
        assert (
            static_server.main(["play", "--no-browser", "--port", str(server.server_address[1])])
            == 2
        )
    assert static_server.main(["play", "--no-browser", "--port", "99999999"]) == 2
    assert capsys.readouterr().err.count("can't listen on port") == 2


def test_a_page_that_is_not_built_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(static_server, "BUILT", tmp_path)
    assert static_server.play() == 2
    assert "make web" in capsys.readouterr().err


def test_a_bare_install_says_its_version_and_what_it_can_do(capsys):
    with pytest.raises(SystemExit) as ended:
        static_server.main(["--version"])
    assert not ended.value.code
    assert capsys.readouterr().out == f"sumito {sumito.__version__}\n"
    assert static_server.main([]) == 0
    said = capsys.readouterr().out
    assert "play" in said
    assert 'pip install "sumito[cli]"' in said


@pytest.mark.parametrize("words", [["show"], ["match", "random", "greedy"], ["", "play"]])
def test_other_commands_name_the_extra_they_need(words, capsys):
    assert static_server.main(words) == 1
    assert 'pip install "sumito[cli]"' in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--nonsense"], ["play", "--port", "x"], ["play", "more"]])
def test_options_that_make_no_sense_are_refused(words):
    with pytest.raises(SystemExit) as ended:
        static_server.main(words)
    assert ended.value.code == 2


def test_play_works_without_the_packages_of_the_command_line(built):
    code = (
        "import sys; sys.modules['typer'] = None; from pathlib import Path; "
        f"from sumito.cli import static_server, main; static_server.BUILT = Path({str(built)!r}); "
        "sys.argv = ['sumito', 'play', '--no-browser', '--port', '0']; main()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+", process.stdout.readline())[0]
        assert 'data-site="files"' in fetch(url)[0]
        is_checkout = (Path(sumito.__file__).parents[2] / "Makefile").is_file()
        more = "make serve" if is_checkout else 'pip install "sumito[play]"'
        assert more in process.stdout.readline() + process.stdout.readline()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
