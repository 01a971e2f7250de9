"""Help pages, and what is said of a command line that isn't understood, in the reader's language.

Both come from the command-line library in English. Its tree of commands is made for each run,
so the texts in it are exchanged before anything is parsed (`translate_help`); the same walk
collects them for the catalogue (`help_texts`). Its complaints arrive as finished sentences: they
are found again by the templates in `_COMPLAINTS`, which are also their keys in the catalogue.
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
"""What stands around the texts of every page."""
_USAGE: Final = N_("Usage:")
_HELP: Final = N_("Show this message and exit.")

_VARIABLE: Final = re.compile(r"(?P<name>[A-Z_]+: )(?P<help>.*?)(?P<default> \([^()]*\))?")
"""A line at the foot of a page that tells what a variable of the environment sets."""
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
    """Every text on the help pages of a command and those below it."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        found.setdefault(text)
        return text

    _exchange(command, note)
    yield from found


def translate_help(command: Any) -> None:  # noqa: ANN401
    """Put the reader's language into the help pages of a command and those below it."""
    for name, text in _FRAME.items():
        setattr(rich_utils, name, translate(text))
    _exchange(command, translate)


def _exchange(command: Any, say: Gettext) -> None:  # noqa: ANN401
    if command.help:
        command.help = _paragraphs(command.help, say)
    if command.epilog:
        command.epilog = "\n".join(_foot_line(line, say) for line in command.epilog.split("\n"))
    for parameter in command.params:
        if parameter.help:
            parameter.help = say(parameter.help)
        if parameter.metavar:
            parameter.metavar = say(parameter.metavar)
        _name_no_type_of_flags(parameter)
    if command.options_metavar:
        command.options_metavar = say(command.options_metavar)
    _exchange_made_late(command)
    if isinstance(command, TyperGroup):
        command.subcommand_metavar = say(command.subcommand_metavar or "")
        for one in command.commands.values():
            _exchange(one, say)


def _exchange_made_late(command: Any) -> None:  # noqa: ANN401
    """The word before the usage and the option --help, which are made when they are asked for."""
    usage: Callable[[typer.Context], str] = command.get_usage
    help_option: Callable[[typer.Context], Any] = command.get_help_option

    def get_usage(context: typer.Context) -> str:
        return usage(context).replace(_USAGE, translate(_USAGE), 1)

    def get_help_option(context: typer.Context) -> Any:  # noqa: ANN401
        option = help_option(context)
        _name_no_type_of_flags(option)
        if option is not None and option.help == _HELP:
            option.help = translate(_HELP)
        return option

    command.get_usage = get_usage
    command.get_help_option = get_help_option


def _name_no_type_of_flags(parameter: Any) -> None:  # noqa: ANN401
    """Leave out the `<bool>` that would look as if a flag took a value."""
    if getattr(parameter, "is_flag", False):
        parameter.display_type_rich = lambda ctx: None  # noqa: ARG005


def _paragraphs(text: str, say: Gettext) -> str:
    """Each paragraph by itself, on one line."""
    return "\n\n".join(say(" ".join(part.split())) for part in text.split("\n\n"))


def _foot_line(line: str, say: Gettext) -> str:
    """A line below the options: examples stay as they are typed."""
    if not line.strip() or line.startswith(_EXAMPLE) or line == "\b":
        return line
    variable = _VARIABLE.fullmatch(line)
    if variable is None:
        return say(line)
    return f"{variable['name']}{say(variable['help'])}{variable['default'] or ''}"


def complaint(message: str) -> str:
    """A sentence of the command-line library in the reader's language; an unknown one as it is."""
    for template, pattern in _patterns():
        found = pattern.fullmatch(message)
        if found:
            values = found.groupdict()
            if "problem" in values:
                values["problem"] = complaint(values["problem"])
            return translate(template).format(**values)
    return message


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The templates with what finds them: any text for a value, and a full stop or none."""
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
