"""Translations: the package's gettext catalogues, and the language that an environment asks for.

The library says what it says as `sumito.sentence.Sentence`; a `Translator` says it in a language.
"""

from sumito.i18n.catalogues import ENGLISH, Translator, check_language, languages
from sumito.i18n.environment import environment_language

__all__ = ["ENGLISH", "Translator", "check_language", "environment_language", "languages"]
