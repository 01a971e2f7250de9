"""Names: what of them is shown, and which of them look alike.

Two names that look alike are the same name to whoever plays against them, so an account's name is
taken for all that resemble it: other cases, other alphabets' twins, accents, 0 and O, rn and m.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from sumito.server.http.errors import Refusal
from sumito.server.i18n import N_

NAMELESS: Final = "?"
"""Who a deleted account's games were played by, as records have it."""
LONGEST: Final = 30

# Letters of other alphabets that look like Latin ones, after Unicode's table of confusables.
_TWINS: Final = {
    "a": "аαɑ", "b": "вβьƅ", "c": "сϲⅽ", "d": "ԁɗⅾ", "e": "еεєҽ", "f": "ƒϝ", "g": "ɡցԍ",
    "h": "һнհ", "i": "іιıӏ1l|!ǀ", "j": "јϳ", "k": "кκĸ", "m": "мⅿ", "n": "пηոռ", "o": "оοσ0օө",
    "p": "рρ", "q": "ԛզ", "r": "гᴦ", "s": "ѕꜱ5$", "t": "тτ", "u": "υцսʋ", "v": "ѵνⅴ", "w": "ѡωԝɯ",
    "x": "хχⅹ", "y": "уγүყ", "z": "ᴢ2",
}  # fmt: skip
_TO_LATIN: Final = str.maketrans(
    {twin: letter for letter, twins in _TWINS.items() for twin in twins}
    | {"-": None, "_": None, ".": None, " ": None, "æ": "ae", "œ": "oe", "ø": "o", "ł": "i"}
)
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("ci", "d"))
_RESERVED: Final = (
    "admin", "administrator", "anonymous", "computer", "guest", "help", "moderator", "nobody",
    "official", "operator", "owner", "root", "security", "server", "staff", "sumito", "support",
    "system",
)  # fmt: skip


def clean_name(name: str) -> str:
    """A name without what can't be seen or turns the text around it."""
    seen = "".join(
        " " if unicodedata.category(char).startswith("Z") else char
        for char in unicodedata.normalize("NFC", name)
        if not unicodedata.category(char).startswith("C")
    )
    cleaned = " ".join(seen.split())[:LONGEST].rstrip()
    if not cleaned:
        raise Refusal("empty-name", N_("a name needs something one can read"))
    return cleaned


def clean_text(text: str) -> str:
    """A chat line without control characters."""
    seen = "".join(char for char in text if not unicodedata.category(char).startswith("C"))
    cleaned = " ".join(seen.split())
    if not cleaned:
        raise Refusal("empty-text", N_("there is nothing in this message"))
    return cleaned


def likeness(name: str) -> str:
    """What a name looks like: the same for all names that a hasty eye takes for one another.

    >>> likeness("Аdmin") == likeness("ADM1N") == likeness("adrnin") == likeness("admin")
    True
    """
    folded = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    plain = bare.translate(_TO_LATIN)
    for pair, twin in _PAIRS:
        plain = plain.replace(pair, twin)
    # A name of nothing but signs looks like itself.
    return (plain or bare)[:80]


_RESERVED_LOOKS: Final = frozenset(map(likeness, _RESERVED))


def is_reserved(name: str) -> bool:
    """Would players take somebody of that name for the people who run the server?"""
    return likeness(name) in _RESERVED_LOOKS
