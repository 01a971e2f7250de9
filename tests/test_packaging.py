"""What is published: its description, its licences, its metadata."""

import importlib.util
import json
import re
import tomllib
from pathlib import Path

import pytest

import sumito
from support.optional_parts import REASONS

ROOT = Path(__file__).parent.parent
PACKAGE = Path(sumito.__file__).parent
SPEC = importlib.util.spec_from_file_location("pypi_readme", ROOT / "scripts" / "pypi_readme.py")
pypi_readme = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pypi_readme)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_description_is_the_readme_of_today():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert (ROOT / PROJECT["readme"]).read_text("utf-8") == pypi_readme.description(readme)


def test_the_description_has_no_link_and_no_picture_that_needs_the_repository():
    text = (ROOT / PROJECT["readme"]).read_text("utf-8")
    assert re.findall(r"\]\((?!https://)", text) == []
    assert re.findall(r"<(?:img|picture|source|a) ", text) == []
    assert "Play at once" in text
    assert ">>> import sumito" in text


def test_all_packages_have_the_version_that_the_changelog_begins_with():
    versions = [
        json.loads((ROOT / "web" / folder / "package.json").read_text("utf-8"))["version"]
        for folder in (".", "kernel", "board-package")
    ]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert {sumito.__version__, *versions} == {newest[1]}


WORKFLOWS = ROOT / ".github" / "workflows"


def test_workflows_run_targets_that_the_makefile_has():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for file in WORKFLOWS.glob("*.yml"):
        text = file.read_text("utf-8")
        listed = ", ".join(re.findall(r"target: \[(.+)\]", text)).split(", ")
        run = {*re.findall(r"run: make ([\w-]+)", text), *filter(None, listed)}
        assert run <= targets, file.name


def test_a_release_waits_for_tests_and_every_package():
    release = (WORKFLOWS / "release.yml").read_text("utf-8")
    needs = re.search(r"^  publish:\n    needs: \[(.+)\]", release, re.MULTILINE)
    assert set(needs[1].split(", ")) == {"tests", "wheels", "source", "site"}


def test_every_address_of_the_project_is_whole():
    for name, address in PROJECT.get("urls", {}).items():
        assert address.startswith("https://"), name


def test_the_licences_of_what_is_linked_in_are_published():
    files = {path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)}
    texts = {path.name: path.read_text("utf-8") for path in files}
    assert set(texts) == {"LICENSE", "nanobind.txt", "nunito.txt", "robin-map.txt", "wasi-libc.txt"}
    assert "Wenzel Jakob" in texts["nanobind.txt"]
    assert "Redistributions in binary form" in texts["nanobind.txt"]
    assert "Permission is hereby granted" in texts["robin-map.txt"]


@pytest.mark.parametrize(
    ("folder", "packages"),
    [("server", {"lit", "lit-html", "lit-element", "@lit/reactive-element", "uqr"})],
)
def test_the_licences_of_bundled_javascript_are_in_the_package(folder, packages):
    static = PACKAGE / folder / "static"
    if not static.is_dir():
        pytest.skip(REASONS["node"])
    text = (static / "licences.txt").read_text("utf-8")
    named = set(re.findall(r"^(\S+) \d+\.\d+\.\d+ \(.*\)\n=+$", text, re.MULTILINE))
    assert packages <= named
    assert "Google LLC" in text
    assert "Project Nayuki" in text
    assert "wasi-libc" in text
    assert "Rich Felker" in text
    assert "SIL Open Font License" in text
