"""The command `site`: exports the page as static files, for any web host."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from sumito.cli.common import echo, examples
from sumito.cli.static_server import BUILT, as_files
from sumito.errors import SumitoError
from sumito.i18n.messages import N_


class SiteError(SumitoError):
    """Raised if a site can't be written."""


def register(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(epilog=examples("site public", "site --force docs/play"))(site)


def site(
    out: Annotated[Path, typer.Argument(help="The folder to write; it must be new or empty.")],
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that is not empty.")
    ] = False,
) -> None:
    """Write the page as static files, for games against the computer or at one screen."""
    files = write_site(out, BUILT, overwrite=force)
    echo(
        N_("{files} files in {out}: put them on any web host, in any folder"), files=files, out=out
    )


def write_site(out: Path, built: Path, *, overwrite: bool) -> int:
    """Copy the built page with relative addresses; return the number of files."""
    if not (built / "index.html").is_file():
        raise SiteError(N_("the page hasn't been built yet: run `make web`"))
    if out.exists() and not out.is_dir():
        raise SiteError(N_("{out} is a file; name a folder"), out=out)
    if out.is_dir() and any(out.iterdir()) and not overwrite:
        raise SiteError(N_("{out} is not empty; use --force to write into it anyway"), out=out)
    shutil.copytree(built, out, dirs_exist_ok=True)
    index = out / "index.html"
    index.write_text(as_files(index.read_text(encoding="utf-8")), encoding="utf-8")
    return sum(file.is_file() for file in out.rglob("*"))
