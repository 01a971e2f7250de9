"""The translations of a language as Babel reads them from their sources."""

from functools import cache
from importlib import resources


@cache
def catalogue_of(language):
    """All texts without a context, by their English; an untranslated one stands for itself."""
    from babel.messages.pofile import read_po

    folder = resources.files("sumito").joinpath("locale", language, "LC_MESSAGES")
    texts = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".po"):
            continue
        with file.open("rb") as source:
            for message in read_po(source, locale=language):
                if message.context is None and isinstance(message.id, str) and message.id:
                    texts[message.id] = message.string or message.id
    return texts
