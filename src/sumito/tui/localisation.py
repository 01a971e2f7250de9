"""Translates the app's texts into the reader's language, from the package's catalogue."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from sumito.engine import Level
from sumito.errors import SumitoError
from sumito.i18n.catalogues import ENGLISH, Translator
from sumito.i18n.messages import N_, Message, Plural
from sumito.rules.modes import Colour, Mode

MODE_NAMES: Final = {
    Mode.TWO: N_("Two players"),
    Mode.THREE: N_("Three players"),
    Mode.TEAMS: N_("Two teams"),
    Mode.TEAMS_DOUBLE: N_("Two teams, double turns"),
}


@dataclass(frozen=True, slots=True)
class Localiser:
    """Translator of the app: `tr(N_("…"), name=value)`."""

    language: str = ENGLISH

    @property
    def translator(self) -> Translator:
        return Translator(self.language, "terminal")

    def __call__(self, template: str | Plural, /, **values: object) -> str:
        return self.sentence(Message("", template, values))

    def sentence(self, message: Message) -> str:
        """Render a message of the library."""
        return self.translator.sentence(message)

    def error(self, error: BaseException) -> str:
        """Return the message of an error, as a sentence of its own."""
        if isinstance(error, SumitoError):
            text = self.sentence(error.sentence)
        elif isinstance(error, OSError) and error.strerror:
            name = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
            text = name + error.strerror
        else:
            text = str(error) or type(error).__name__
        return text[:1].upper() + text[1:]

    def colour(self, colour: Colour) -> str:
        """Return a colour's name, capitalised."""
        return self.translator.gettext(colour.label).capitalize()

    def level(self, level: Level) -> str:
        """Return a level's name with its number."""
        return f"{int(level)} {self.translator.gettext(str(level).capitalize())}"

    def mode(self, mode: Mode) -> str:
        """Return the name of a mode."""
        return self(MODE_NAMES[mode])
