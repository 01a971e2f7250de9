"""Who somebody is: a signed cookie from the first request on, an account if they like, a token
for bots. A guest becomes a row only when they do something worth keeping.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass, replace
from typing import Final

import argon2
from itsdangerous import BadSignature, URLSafeSerializer

from sumito.server import i18n as words
from sumito.server.http.errors import Refusal
from sumito.server.i18n import N_
from sumito.server.store import PeopleStore, Person

COOKIE: Final = "sumito"
_ID_BYTES: Final = 12
_PASSWORDS: Final = argon2.PasswordHasher()
_ANY_SEAT: Final = "any"


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose request it is; `cookie` is set where the browser has to be given one."""

    id: str
    by_token: bool = False
    cookie: str | None = None


class People:
    """Identities, accounts and tokens over the store."""

    def __init__(self, store: PeopleStore, secret: str) -> None:
        self.store = store
        self._secret = secret.encode()
        self._signer = URLSafeSerializer(secret, salt="sumito-person")
        # Checked when there is no such account, so that an answer takes as long either way.
        self._nobody = _PASSWORDS.hash(secrets.token_hex(16))

    @classmethod
    async def open(cls, store: PeopleStore) -> People:
        return cls(store, await store.secret("signing", secrets.token_hex(32)))

    # Identity.

    async def identify(self, cookie: str | None, authorization: str | None) -> Identity:
        """Whose credentials these are; without any, a new guest."""
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            person = (
                await self.store.by_token(_digest(token)) if scheme.lower() == "bearer" else None
            )
            if person is None:
                raise Refusal("bad-token", N_("this token is not known here"), status=401)
            return Identity(person.id, by_token=True)
        if cookie:
            try:
                person_id = self._signer.loads(cookie)
            except BadSignature:
                person_id = None
            if isinstance(person_id, str):
                return Identity(person_id)
        return self.newcomer()

    def newcomer(self) -> Identity:
        """A guest nobody has seen before."""
        person_id = secrets.token_urlsafe(_ID_BYTES)
        return Identity(person_id, cookie=self.sign(person_id))

    def sign(self, person_id: str) -> str:
        signed = self._signer.dumps(person_id)
        return signed if isinstance(signed, str) else signed.decode()

    async def person(self, identity: Identity, language: str = words.ENGLISH) -> Person:
        """What is known of somebody; a guest gets a name that can be told from others'."""
        known = await self.store.get(identity.id)
        return known or Person(identity.id, _guest_name(identity.id, language))

    async def keep(self, identity: Identity, language: str, now: int) -> Person:
        """The same, and from now on it is kept."""
        person = await self.person(identity, language)
        if not person.created_at:
            person = replace(person, created_at=now)
            await self.store.save(person)
        return person

    async def rename(
        self, person: Person, name: str | None, language: str | None, now: int
    ) -> Person:
        """Change name or language; an account keeps its name."""
        if name is not None and person.account:
            raise Refusal("account-name", N_("an account keeps its name: it is how others know it"))
        if language is not None and language not in words.languages():
            raise Refusal(
                "no-such-language", N_("there is no language {language} here"), language=language
            )
        changed = replace(
            person,
            name=clean_name(name) if name is not None else person.name,
            language=language or person.language,
            created_at=person.created_at or now,
        )
        await self.store.save(changed)
        return changed

    # Accounts.

    async def sign_up(self, person: Person, name: str, password: str) -> None:
        """Make an account of a guest; the guest's games stay theirs."""
        if person.account:
            raise Refusal("signed-in", N_("you have an account already"), status=409)
        digest = await asyncio.to_thread(_PASSWORDS.hash, password)
        if not await self.store.give_account(person.id, name, digest):
            raise Refusal(
                "name-taken", N_("somebody is called {name} already"), status=409, name=name
            )

    async def sign_in(self, name: str, password: str) -> Person:
        """The owner of an account."""
        owner = await self.store.by_account(name)
        digest = owner.password if owner and owner.password else self._nobody
        try:
            await asyncio.to_thread(_PASSWORDS.verify, digest, password)
        except argon2.exceptions.VerificationError:
            owner = None
        if owner is None:
            raise Refusal("wrong-password", N_("name and password don't fit"), status=401)
        return owner

    async def new_token(self, person: Person) -> str:
        """A token for programs; an earlier one is void."""
        token = secrets.token_urlsafe(32)
        await self.store.set_token(person.id, _digest(token))
        return token

    # Seats' secrets. They are worked out, not stored, so no list of games can leak them.

    def seat_key(self, game_id: str, seat: str = _ANY_SEAT) -> str:
        digest = hmac.new(self._secret, f"seat {game_id} {seat}".encode(), hashlib.sha256)
        return digest.hexdigest()[:32]

    def key_fits(self, key: str, game_id: str, seat: str) -> bool:
        """Does a key open that seat, or any?"""
        return any(
            hmac.compare_digest(key.encode(), self.seat_key(game_id, one).encode())
            for one in (seat, _ANY_SEAT)
        )


def clean_name(name: str) -> str:
    """A name without what can't be seen or turns the text around it."""
    seen = "".join(
        " " if unicodedata.category(char).startswith("Z") else char
        for char in unicodedata.normalize("NFC", name)
        if not unicodedata.category(char).startswith("C")
    )
    cleaned = " ".join(seen.split())[:30]
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


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _guest_name(person_id: str, language: str) -> str:
    number = int(hashlib.sha256(person_id.encode()).hexdigest()[:8], 16) % 9000 + 1000
    return words.say(language, N_("Guest {number}"), number=number)
