"""Translation of help pages and usage errors.

Both come from the command-line library in English. Its command tree is built for each run, so its
texts are replaced before anything is parsed (`translate_help`); the same walk collects them for the
catalogue (`help_texts`). Usage errors arrive as complete sentences: they are matched against the
templates in `_COMPLAINTS`, which are also their msgids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import typer
from typer import rich_utils
from typer.core import TyperGroup

from sumito.cli.language import translate
from sumito.i18n.messages import N_

if TYPE_CHECKING:
    from sumito.i18n.messages import Gettext

_FRAME: Final = {
    "ARGUMENTS_PANEL_TITLE": N_("Arguments"),
    "OPTIONS_PANEL_TITLE": N_("Options"),
    "COMMANDS_PANEL_TITLE": N_("Commands"),
    "DEFAULT_STRING": N_("[default: {}]"),
    "REQUIRED_LONG_STRING": N_("[required]"),
}
"""Headings and fixed texts on every help page."""
_USAGE: Final = N_("Usage:")
_HELP: Final = N_("Show this message and exit.")

_VARIABLE: Final = re.compile(r"(?P<name>[A-Z_]+: )(?P<help>.*?)(?P<default> \([^()]*\))?")
"""Line at the foot of a help page on an environment variable."""
_EXAMPLE: Final = "  [cyan]"

_COMPLAINTS: Final = (
    N_("Invalid value for {option}: {problem}"),
    N_("Invalid value: {problem}"),
    N_("No such option: {option} (Possible options: {known})"),
    N_("No such option: {option}"),
    N_("No such command {name}. Did you mean {known}?"),
    N_("No such command {name}."),
    N_("Missing command."),
    N_("Missing argument {name}. Choose from: {known}"),
    N_("Missing argument {name}."),
    N_("Missing option {name}."),
    N_("Got unexpected extra argument(s) ({words})"),
    N_("Option {option} requires an argument."),
    N_("Option {option} requires {number} arguments."),
    N_("Option {option} does not take a value."),
    N_("Argument {name} takes {number} values."),
    N_("file {path} does not exist."),
    N_("file {path} is a directory."),
    N_("file {path} is not readable."),
    N_("Input should be a valid integer, unable to parse string as an integer"),
    N_("Input should be a valid number, unable to parse string as a number"),
    N_("Input should be a valid boolean, unable to interpret input"),
    N_("Unable to parse input string as an integer, exceeded maximum size"),
    N_("Input should be greater than or equal to {least}"),
    N_("Input should be less than or equal to {most}"),
    N_("{value} is not one of {known}."),
)


def help_texts(command: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield every text on the help pages of a command and its subcommands."""
    texts: dict[str, None] = {}

    def note(text: str) -> str:
        texts.setdefault(text)
        return text

    _translate_texts(command, note)
    yield from texts


def translate_help(command: Any) -> None:  # noqa: ANN401
    """Translate the help pages of a command and its subcommands."""
    for name, text in _FRAME.items():
        setattr(rich_utils, name, translate(text))
    _translate_texts(command, translate)


def _translate_texts(command: Any, gettext: Gettext) -> None:  # noqa: ANN401
    if command.help:
        command.help = _translate_paragraphs(command.help, gettext)
    if command.epilog:
        command.epilog = "\n".join(
            _translate_foot_line(line, gettext) for line in command.epilog.split("\n")
        )
    for parameter in command.params:
        if parameter.help:
            parameter.help = gettext(parameter.help)
        if parameter.metavar:
            parameter.metavar = gettext(parameter.metavar)
        _hide_flag_type(parameter)
    if command.options_metavar:
        command.options_metavar = gettext(command.options_metavar)
    _translate_lazy_parts(command)
    if isinstance(command, TyperGroup):
        command.subcommand_metavar = gettext(command.subcommand_metavar or "")
        for one in command.commands.values():
            _translate_texts(one, gettext)


def _translate_lazy_parts(command: Any) -> None:  # noqa: ANN401
    """Translate the usage prefix and the option --help, which are created on demand."""
    usage: Callable[[typer.Context], str] = command.get_usage
    help_option: Callable[[typer.Context], Any] = command.get_help_option

    def get_usage(context: typer.Context) -> str:
        return usage(context).replace(_USAGE, translate(_USAGE), 1)

    def get_help_option(context: typer.Context) -> Any:  # noqa: ANN401
        option = help_option(context)
        _hide_flag_type(option)
        if option is not None and option.help == _HELP:
            option.help = translate(_HELP)
        return option

    command.get_usage = get_usage
    command.get_help_option = get_help_option


def _hide_flag_type(parameter: Any) -> None:  # noqa: ANN401
    """Remove the `<bool>` that would look as if a flag took a value."""
    if getattr(parameter, "is_flag", False):
        parameter.display_type_rich = lambda ctx: None  # noqa: ARG005


def _translate_paragraphs(text: str, gettext: Gettext) -> str:
    """Translate each paragraph by itself, as one line."""
    return "\n\n".join(gettext(" ".join(part.split())) for part in text.split("\n\n"))


def _translate_foot_line(line: str, gettext: Gettext) -> str:
    """Translate a line below the options; examples stay as they are typed."""
    if not line.strip() or line.startswith(_EXAMPLE) or line == "\b":
        return line
    variable = _VARIABLE.fullmatch(line)
    if variable is None:
        return gettext(line)
    return f"{variable['name']}{gettext(variable['help'])}{variable['default'] or ''}"


def complaint(message: str) -> str:
    """Translate an error of the command-line library; return an unknown one unchanged."""
    for template, pattern in _patterns():
        match = pattern.fullmatch(message)
        if match:
            values = match.groupdict()
            if "problem" in values:
                values["problem"] = complaint(values["problem"])
            return translate(template).format(**values)
    return message


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each template with a pattern that matches it, with or without a full stop."""
    return tuple(
        (
            template,
            re.compile(
                re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template.removesuffix(".")))
                + r"\.?"
            ),
        )
        for template in _COMPLAINTS
    )
