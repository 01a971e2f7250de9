"""The command-line application: all commands, with errors as one line and an exit code.

Exit codes: 0 success, 1 errors found in the input, 2 unreadable input or wrong usage, 130
interrupted, 141 output closed by its reader.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

import sumito
from sumito.cli import (
    INTERRUPTED,
    analyse,
    boards,
    doctor,
    engines,
    games,
    lab,
    records,
    review,
    serve,
    site,
    teaching,
    terminal,
)
from sumito.cli.common import BAD_INPUT, echo, error_text, examples, tr
from sumito.cli.help import complaint, translate_help
from sumito.cli.language import LanguageOption, asked_language, set_language
from sumito.cli.static_server import install_command
from sumito.errors import SumitoError
from sumito.i18n.messages import N_

EXIT_SIGPIPE: Final = 141
"""Exit code of a program ended by SIGPIPE, by the convention of shells."""


class Group(TyperGroup):
    """A group of commands that prints errors as one line."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> Any:  # noqa: ANN401
        more["standalone_mode"] = False
        typed = sys.argv[1:] if args is None else args
        command = next((word for word in typed if word in self.commands), "")
        _set_up_language(self, typed)
        sys.exit(_exit_code(lambda: super(Group, self).main(args, *rest, **more), command))


def _set_up_language(group: Group, typed: Sequence[str]) -> None:
    """Set the language from the command line before a help page or an error needs it."""
    set_language(asked_language(typed))
    translate_help(group)


def _exit_code(run: Callable[[], object], command: str) -> int:
    """Run a command, print its error if it fails, and return the exit code."""
    try:
        code = run()
        sys.stdout.flush()
    except typer.TyperException as error:
        problem = _misuse(error)
        return _fail(problem) if problem else BAD_INPUT  # the help page was printed already
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return EXIT_SIGPIPE
    except SystemExit as ended:
        if ended.code != 1:
            raise
        # Typer and Rich exit so if writing fails; our commands raise typer.Exit.
        _close_output()
        return EXIT_SIGPIPE
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "sumito":
            raise
        return _fail(_missing(error.name, command))
    except (SumitoError, OSError, MemoryError) as error:
        if isinstance(error, OSError) and error.errno == errno.EBADF:
            _close_output()  # the buffered rest can't be written either
            return _fail(tr(N_("standard output is closed")))
        return _fail(error_text(error))
    return code if isinstance(code, int) else 0


def _missing(name: str, command: str) -> str:
    return tr(
        N_("`sumito {command}` needs {name}: {install}"),
        command=command,
        name=name,
        install=install_command(command),
    )


def _fail(message: str) -> int:
    echo(N_("sumito: {problem}"), problem=message, err=True)
    return BAD_INPUT


def _close_output() -> None:
    """Redirect standard output to nowhere, since Python flushes it again at exit."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _misuse(error: typer.TyperException) -> str:
    """Return what was wrong with a command line, and which help page explains it."""
    message = complaint(" ".join(error.format_message().replace("Value error, ", "").split()))
    context = getattr(error, "ctx", None)
    if context is None or not message:
        return message
    return tr(
        N_("{problem} (see {command} --help)"),
        problem=message.rstrip("."),
        command=context.command_path,
    )


app = typer.Typer(
    cls=Group,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples("show --layout belgian-daisy", "moves --mode three", "play"),
)


def _version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"sumito {sumito.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    language: LanguageOption = "",
) -> None:
    """Abalone for two, three and four players.

    A position is written as `sumito show` prints it, or in another program's form named by
    --form. Quotes around it are not needed.
    """
    if language:
        set_language(language)
    if context.invoked_subcommand is None:
        context.get_help()  # prints the help page


boards.register(app)
records.register(app)
analyse.register(app)
review.register(app)
engines.register(app)
games.register(app)
lab.register(app)
serve.register(app)
site.register(app)
teaching.register(app)
terminal.register(app)


@app.command("doctor", epilog=examples("doctor"))
def _doctor() -> None:
    """Report what is installed and whether it works, for bug reports."""
    raise typer.Exit(doctor.report())
