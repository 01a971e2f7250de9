"""Who somebody is: a guest from the first request on, an account if they like, a token for bots.

A guest becomes a row only when they do something worth keeping.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sumito.server import i18n as words
from sumito.server.http.errors import Refusal, no_such_language
from sumito.server.i18n import N_
from sumito.server.people import passwords
from sumito.server.people.names import clean_name, is_reserved, likeness
from sumito.server.people.sessions import Identity, Sessions, digest
from sumito.server.store import PeopleStore, Person, Taken

_ID_BYTES: Final = 12
_ANY_SEAT: Final = "any"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class People:
    """Identities, accounts and tokens over the store."""

    def __init__(self, store: PeopleStore, secret: str, now: Callable[[], int] = _now_ms) -> None:
        self.store = store
        self.sessions = Sessions(store, secret)
        self._secret = secret.encode()
        self._now = now
        # Checked when there is no such account, so that an answer takes as long either way.
        self._nobody = passwords.of_nobody()

    @classmethod
    async def open(cls, store: PeopleStore) -> People:
        return cls(store, await store.secret("signing", secrets.token_hex(32)))

    # Identity.

    async def identify(self, cookie: str | None, authorization: str | None) -> Identity:
        """Whose credentials these are; without any, a new guest."""
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            person = (
                await self.store.by_token(digest(token)) if scheme.lower() == "bearer" else None
            )
            if person is None:
                raise Refusal("bad-token", N_("this token is not known here"), status=401)
            return Identity(person.id, by_token=True)
        found = await self.sessions.find(cookie, self._now()) if cookie else None
        return found or self.newcomer()

    def newcomer(self) -> Identity:
        """A guest nobody has seen before."""
        return self.sessions.guest(secrets.token_urlsafe(_ID_BYTES))

    async def person(self, identity: Identity, language: str = words.ENGLISH) -> Person:
        """What is known of somebody; a guest gets a name that can be told from others'."""
        known = await self.store.get(identity.id)
        guest_name = _guest_name(identity.id, language)
        if known is None:
            return Person(identity.id, guest_name)
        if known.account is None and await self.store.by_likeness(likeness(known.name)):
            # Since they chose it, it has become an account's.
            return replace(known, name=guest_name)
        return known

    async def keep(self, person: Person) -> Person:
        """From now on somebody is kept."""
        if not person.created_at:
            person = replace(person, created_at=self._now())
            await self.store.save(person)
        return person

    async def rename(self, person: Person, name: str | None, language: str | None) -> Person:
        """Change name or language; an account keeps its name."""
        if name is not None and person.account:
            raise Refusal("account-name", N_("an account keeps its name: it is how others know it"))
        if language is not None and language not in words.languages():
            raise no_such_language(language, status=400)
        changed = replace(
            person,
            name=await self.free_name(name, person) if name is not None else person.name,
            language=language or person.language,
            created_at=person.created_at or self._now(),
        )
        await self.store.save(changed)
        return changed

    async def free_name(self, name: str, wearer: Person) -> str:
        """A name for a guest, or for one at the same device: nobody wears an account's."""
        cleaned = clean_name(name)
        if wearer.account and likeness(cleaned) == likeness(wearer.account):
            return cleaned
        if is_reserved(cleaned) or await self.store.by_likeness(likeness(cleaned)):
            raise _taken(cleaned)
        return cleaned

    # Accounts.

    async def sign_up(self, person: Person, name: str, password: str, agent: str) -> Identity:
        """Make an account of a guest; the guest's games stay theirs, their cookie does not."""
        if person.account:
            raise _signed_in()
        if is_reserved(name):
            raise _taken(name)
        passwords.check(password, name)
        if await self.store.by_likeness(likeness(name)):
            raise _taken(name)
        person = replace(person, created_at=person.created_at or self._now())
        match await self.store.give_account(person, name, await passwords.hashed(password)):
            case Taken.NAME:
                raise _taken(name)
            case Taken.PERSON:
                raise _signed_in()
        return await self.sessions.begin(person.id, agent, self._now())

    async def sign_in(self, name: str, password: str) -> Person:
        """The owner of an account."""
        owner = await self.store.by_account(name)
        known = owner.password if owner and owner.password else self._nobody
        if not await passwords.fits(known, password) or owner is None:
            raise _wrong_password()
        return owner

    async def change_password(self, person: Person, old: str, new: str, agent: str) -> Identity:
        """Another password; whoever was signed in with the old one is so no longer."""
        await self.check_password(person, old)
        passwords.check(new, person.account or "")
        await self.store.set_password(person.id, await passwords.hashed(new))
        await self.store.end_sessions(person.id)
        await self.store.set_token(person.id, None)
        return await self.sessions.begin(person.id, agent, self._now())

    async def check_password(self, person: Person, password: str) -> None:
        """Is it really them? Asked before what can't be undone."""
        if not person.account:
            raise Refusal("account-needed", N_("this needs an account"), status=403)
        if not await passwords.fits(person.password or self._nobody, password):
            raise Refusal("wrong-password", N_("this is not your password"), status=403)

    async def new_token(self, person: Person) -> str:
        """A token for programs; an earlier one is void."""
        token = secrets.token_urlsafe(32)
        await self.store.set_token(person.id, digest(token))
        return token

    # Seats' secrets. They are worked out, not stored, so no list of games can leak them.

    def seat_key(self, game_id: str, seat: str = _ANY_SEAT) -> str:
        made = hmac.new(self._secret, f"seat {game_id} {seat}".encode(), hashlib.sha256)
        return made.hexdigest()[:32]

    def key_fits(self, key: str, game_id: str, seat: str) -> bool:
        """Does a key open that seat, or any?"""
        return any(
            hmac.compare_digest(key.encode(), self.seat_key(game_id, one).encode())
            for one in (seat, _ANY_SEAT)
        )


def _taken(name: str) -> Refusal:
    return Refusal(
        "name-taken", N_("somebody is called {name}, or nearly so"), status=409, name=name
    )


def _signed_in() -> Refusal:
    return Refusal("signed-in", N_("you have an account already"), status=409)


def _wrong_password() -> Refusal:
    return Refusal("wrong-password", N_("name and password don't fit"), status=401)


def _guest_name(person_id: str, language: str) -> str:
    number = int(hashlib.sha256(person_id.encode()).hexdigest()[:8], 16) % 9000 + 1000
    return words.say(language, N_("Guest {number}"), number=number)
