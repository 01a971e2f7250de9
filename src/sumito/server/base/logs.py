"""Structured logs: one event a line, as text for people or JSON for machines.

More people read a log than the database. So secrets are redacted, tracebacks show no local
variables, and long values are truncated: no client can fill a disk by what it sends.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import MutableMapping
from types import TracebackType
from typing import Any, Final

import structlog

from sumito.server.base.settings import Settings

LONGEST: Final = 500
"""Characters of one value of a line."""
LONGEST_TRACEBACK: Final = 4_000
_FRAMES: Final = 12
_HIDDEN: Final = "[hidden]"
_SECRET_NAMES: Final = re.compile(
    r"pass(word|wd)?|secret|token|cookie|authorization|digest|key", re.IGNORECASE
)
_SECRETS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<keep>)\$argon2\w*\$\S+",
        r"(?P<keep>\bbearer\s+)[^\s\"',;]+",
        r"(?P<keep>\bsumito=)[^\s;\"',]+",
        r"(?P<keep>\b(?:set-)?cookie['\"]?\s*[:=,]\s*b?['\"]?)[^\n'\"]+",
        r"(?P<keep>\b(?:password|passwd|secret|token|key)['\"]?\s*[:=]\s*['\"]?)[^\s'\",;&)}]+",
        r"(?P<keep>\b[a-z][\w+]*://[^\s:/@]*:)[^\s/@]+(?=@)",
    )
)

Line = MutableMapping[str, Any]
_Raised = tuple[type[BaseException], BaseException, TracebackType | None]


def configure(settings: Settings) -> None:
    """Send all log lines, uvicorn's included, through one formatter to stderr."""
    level = getattr(logging, settings.log_level.upper())
    first: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*first, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=first,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                render_traceback,
                redact_secrets,
                truncate_values,
                *_rendering(settings),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for chatty in ("aiosqlite", "alembic", "sqlalchemy", "asyncio", "websockets"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _rendering(settings: Settings) -> tuple[Any, ...]:
    is_terminal = sys.stderr.isatty()
    if settings.log == "json" or (settings.log == "auto" and not is_terminal):
        return (structlog.processors.JSONRenderer(ensure_ascii=False),)
    console = structlog.dev.ConsoleRenderer(
        colors=is_terminal, exception_formatter=structlog.dev.plain_traceback
    )
    return escape_controls, console


def render_traceback(_: object, __: str, line: Line) -> Line:
    """Render the traceback as text, without the values of variables."""
    raised = _raised(line.pop("exc_info", None))
    if raised is not None:
        shown = traceback.TracebackException(
            *raised, limit=-_FRAMES, capture_locals=False, compact=True
        )
        line["exception"] = "".join(shown.format()).rstrip()
    return line


def _raised(given: Any) -> _Raised | None:
    if isinstance(given, BaseException):
        return type(given), given, given.__traceback__
    if isinstance(given, tuple):
        return given if given[0] is not None else None
    current = sys.exc_info() if given else (None, None, None)
    return None if current[0] is None else current


def redact_secrets(_: object, __: str, line: Line) -> Line:
    """Redact passwords, hashes, tokens and cookies, by field name or by pattern."""
    for name, value in line.items():
        if _SECRET_NAMES.fullmatch(name):
            line[name] = _HIDDEN
        elif not isinstance(value, int | float | bool | None):
            line[name] = redact(str(value))
    return line


def redact(text: str) -> str:
    """Return a text without the secrets in it.

    >>> redact("postgresql://sumito:geheim@localhost/sumito")
    'postgresql://sumito:[hidden]@localhost/sumito'
    """
    for pattern in _SECRETS:
        text = pattern.sub(rf"\g<keep>{_HIDDEN}", text)
    return text


def escape_controls(_: object, __: str, line: Line) -> Line:
    """Escape control characters: no value may steer the terminal or look like another line."""
    for name, value in line.items():
        if isinstance(value, str):
            lines = value.split("\n") if name == "exception" else [value]
            line[name] = "\n".join(map(escape, lines))
    return line


def escape(text: str) -> str:
    """Return a text with its control characters, and all others that don't print, as escapes.

    >>> print(escape("\\x1b]0;title\\x07, two\\nlines"))
    \\x1b]0;title\\x07, two\\nlines
    """
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def truncate_values(_: object, __: str, line: Line) -> Line:
    """Truncate long values."""
    for name, value in line.items():
        if isinstance(value, str):
            line[name] = truncate(value, LONGEST_TRACEBACK if name == "exception" else LONGEST)
    return line


def truncate(text: str, longest: int) -> str:
    """Return the beginning and the end of a long text, and how much is missing between."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} … {len(text) - 2 * half} more … {text[-half:]}"
