"""`sumito doctor`: the report of an installation, with and without the packages of the extras."""

import subprocess
import sys

import pytest

import sumito
from sumito.cli import doctor, static_server


def lines(text):
    return {line[:14].strip(): line[14:] for line in text.splitlines()}


def test_a_sound_installation_is_reported_part_by_part(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(doctor, "_PACKAGE", tmp_path)
    (tmp_path / "server" / "static").mkdir(parents=True)
    (tmp_path / "server" / "static" / "index.html").touch()
    assert doctor.report() == doctor.OK
    found = lines(capsys.readouterr().out)
    assert found["sumito"] == f"{sumito.__version__} in {tmp_path}"
    assert found["rules"] == "44 moves from the start position"
    assert found["page"] == "1 files"
    assert found["engine"].endswith(" nodes")


def test_a_page_that_is_missing_is_broken(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(doctor, "_PACKAGE", tmp_path)
    assert doctor.report() == doctor.BROKEN
    assert lines(capsys.readouterr().out)["page"].startswith("BROKEN: FileNotFoundError: ")


@pytest.fixture
def installed(monkeypatch):
    """Extras as the metadata of a package has them, and what is installed of them."""
    requirements = [
        'typer>=0.29; extra == "cli"',
        "sumito[cli]; extra == 'play'",
        'uvicorn<0.55,>=0.54; extra == "play"',
        'sqlalchemy[asyncio]>=2.0.36; extra == "play"',
        'ruff>=0.9; extra == "dev"',
    ]
    packages = {"typer"}

    def version(name):
        if name not in packages:
            raise doctor.metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(doctor.metadata, "requires", lambda _: requirements)
    monkeypatch.setattr(doctor.metadata, "version", version)
    return packages


def test_an_extra_names_the_packages_that_it_lacks(installed):
    assert doctor.extras() == {"cli": [], "play": ["sqlalchemy", "uvicorn"]}
    installed.remove("typer")
    assert doctor.extras()["play"] == ["sqlalchemy", "typer", "uvicorn"]


def test_a_checkout_that_is_not_installed_has_no_extras(monkeypatch):
    def requires(name):
        raise doctor.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor.metadata, "requires", requires)
    assert doctor.extras() == {}


def test_a_bare_installation_can_be_examined(capsys):
    static_server.main(["doctor"])
    assert "44 moves" in capsys.readouterr().out


def test_the_kernel_that_cannot_be_loaded_is_named():
    code = (
        "import sys; sys.modules['sumito.kernel._native'] = None; sys.modules['typer'] = None; "
        "from sumito.cli import main; sys.argv = ['sumito', 'doctor']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == doctor.BROKEN
    found = lines(done.stdout)
    assert found["engine"].startswith("BROKEN: ")
    assert "_native" in found["engine"]
    assert found["rules"] == "44 moves from the start position"
