"""What the app says, in the reader's language, from the one catalogue of the package."""

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
    """A language to speak in: `tr(N_("…"), name=value)`."""

    language: str = ENGLISH

    @property
    def translator(self) -> Translator:
        return Translator(self.language, "terminal")

    def __call__(self, template: str | Plural, /, **values: object) -> str:
        return self.sentence(Message("", template, values))

    def sentence(self, said: Message) -> str:
        """What the library says."""
        return self.translator.sentence(said)

    def error(self, error: BaseException) -> str:
        """What went wrong, as a sentence of its own."""
        if isinstance(error, SumitoError):
            told = self.sentence(error.sentence)
        elif isinstance(error, OSError) and error.strerror:
            name = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
            told = name + error.strerror
        else:
            told = str(error) or type(error).__name__
        return told[:1].upper() + told[1:]

    def colour(self, colour: Colour) -> str:
        """A colour's name, as the first word of a line."""
        return self.translator.gettext(colour.label).capitalize()

    def level(self, level: Level) -> str:
        """A level's name, with its number."""
        return f"{int(level)} {self.translator.gettext(str(level).capitalize())}"

    def mode(self, mode: Mode) -> str:
        """Game mode."""
        return self(MODE_NAMES[mode])
