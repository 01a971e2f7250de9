"""Selects the language from the environment variables that gettext reads."""

from __future__ import annotations

import os
import re
from typing import Final

from sumito.i18n.catalogues import ENGLISH, languages

_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""In order of precedence."""


def environment_language() -> str:
    """Return the first requested language that has a catalogue, else English."""
    for variable in _VARIABLES:
        for locale in os.environ.get(variable, "").split(":"):
            code = re.split(r"[_.@-]", locale.lower())[0]
            if code in languages():
                return code
            if code:  # an explicit choice of a language without a catalogue, or of none ("C")
                return ENGLISH
    return ENGLISH
