"""Passwords: hashed with Argon2; common ones are refused."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final

import argon2

from sumito.server.base.i18n import N_
from sumito.server.refusals import InvalidInput

_HASHER: Final = argon2.PasswordHasher()
_FEWEST_CHARACTERS: Final = 5
"""Different ones: aaaaaaaa and 12121212 are no secrets."""
_KEYBOARD_ROWS: Final = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "1q2w3e4r5t6z7u8i9o0p",
    "1q2w3e4r5t6y7u8i9o0p",
    "qazwsxedcrfvtgbyhnujmikolp",
    "1qaz2wsx3edc4rfv5tgb6yhn",
)
_COMMON_WORDS: Final = """
    password passwort wachtwoord motdepasse geheim hallo hello welcome willkommen bienvenue welkom
    iloveyou ichliebedich jetaime sunshine princess prinzessin princesse football fussball voetbal
    baseball basketball superman batman spiderman pokemon starwars trustno monkey dragon shadow
    master letmein login access admin administrator changeme default secret summer winter sommer
    computer internet michael jennifer jordan michelle charlie daniel thomas nicole jessica
    abalone sumito marble marbles whatever freedom ninja mustang corvette ferrari mercedes
    cheese chocolate schatz doudou loulou marseille soleil azerty qwerty qwertz asdf test testtest
    zaq wsx passw
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())


def check(password: str, account: str) -> None:
    """Raise `InvalidInput` for a password that is easy to guess."""
    folded = password.casefold()
    letters = "".join(char for char in folded if char.isalpha())
    unleet = folded.translate(str.maketrans("013457@$!", "oieastasi"))
    words = {folded, letters, "".join(char for char in unleet if char.isalpha())}
    if (
        len(set(folded)) < _FEWEST_CHARACTERS
        or words & (_COMMON | {account.casefold()})
        or any(_is_keyboard_walk(folded, row) for row in _KEYBOARD_ROWS)
    ):
        raise InvalidInput(
            "common-password",
            N_("This password is too easy to guess."),
        )


def _is_keyboard_walk(password: str, row: str) -> bool:
    """Whether a password consists of adjacent keys of a row, in either direction, repeated."""
    rows = (row, row[::-1])
    start = 0
    while start < len(password):
        for end in range(len(password), start + 2, -1):
            if any(password[start:end] in one for one in rows):
                start = end
                break
        else:
            return False
    return True


async def hash_password(password: str) -> str:
    """Return the hash to store."""
    return await asyncio.to_thread(_HASHER.hash, password)


async def verify(digest: str, password: str) -> bool:
    """Whether a password matches a hash; takes the same time either way."""
    try:
        return await asyncio.to_thread(_HASHER.verify, digest, password)
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False


def dummy_hash() -> str:
    """Return the hash of a random password, to verify where there is no account."""
    return _HASHER.hash(secrets.token_hex(16))
