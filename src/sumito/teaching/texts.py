"""Loads the teaching texts of a language by their keys."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from sumito.i18n.catalogues import check_language

LANGUAGES: Final = ("en", "de", "nl", "fr")


def read(name: str) -> Any:  # noqa: ANN401 (the callers give the data its types)
    """Load a data file of this package."""
    return json.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


def texts(language: str) -> MappingProxyType[str, str]:
    """Return all texts of a language; raise `LanguageError` if there are none."""
    check_language(language, LANGUAGES)
    return _texts(language)


@cache
def _texts(language: str) -> MappingProxyType[str, str]:
    return MappingProxyType(read(f"texts/{language}.json"))
