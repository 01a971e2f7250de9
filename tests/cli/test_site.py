"""The page as plain files, for web hosts that know nothing of us."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sumito.cli.app import app
from sumito.cli.site import as_files, write_site
from sumito.errors import SumitoError

INDEX = '<html lang="en"><script src="/assets/a.js"></script><link href="/favicon.svg"><p>/x</p>'


@pytest.fixture
def built(tmp_path: Path) -> Path:
    page = tmp_path / "built"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text(INDEX, encoding="utf-8")
    (page / "assets" / "a.js").write_text("1", encoding="utf-8")
    return page


def test_addresses_become_relative_and_the_page_knows_it_has_no_server() -> None:
    index = as_files(INDEX)
    assert re.findall(r'(?:src|href)="([^"]*)"', index) == ["./assets/a.js", "./favicon.svg"]
    assert '<html data-site="files" lang="en">' in index
    assert "<p>/x</p>" in index


def test_a_site_is_the_whole_page(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out" / "deep"
    assert write_site(out, built, overwrite=False) == 2
    assert (out / "assets" / "a.js").read_text(encoding="utf-8") == "1"


def test_a_folder_with_files_is_left_alone_unless_told_otherwise(
    built: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SumitoError, match="is not empty"):
        write_site(out, built, overwrite=False)
    assert [file.name for file in out.iterdir()] == ["mine.txt"]
    assert write_site(out, built, overwrite=True) == 3


def test_what_can_t_be_written_is_said(built: Path, tmp_path: Path) -> None:
    with pytest.raises(SumitoError, match="make web"):
        write_site(tmp_path / "out", tmp_path / "nothing", overwrite=False)
    with pytest.raises(SumitoError, match="is a file"):
        write_site(built / "index.html", built, overwrite=True)


def test_the_command_says_what_it_did_or_why_not(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    failed = CliRunner().invoke(app, ["site", str(tmp_path / "file")])
    assert failed.exit_code == 2
    assert "sumito:" in failed.output
