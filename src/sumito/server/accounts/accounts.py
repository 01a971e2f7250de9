"""Identities: guests from the first request on, accounts, tokens for bots.

A guest is stored only when they do something that has to be stored.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog

from sumito.protocol.requests import TokenScope
from sumito.server.accounts import passwords
from sumito.server.accounts.sessions import LIFETIME_S, Identity, Sessions, digest
from sumito.server.base import i18n as words
from sumito.server.base.i18n import N_
from sumito.server.base.signing import Signer
from sumito.server.limits import group_of
from sumito.server.names import clean_name, is_reserved, likeness
from sumito.server.refusals import (
    BadRequest,
    Conflict,
    Forbidden,
    Refusal,
    Unauthorised,
    no_such_language,
)
from sumito.server.storage import NETWORK_MS, PeopleRepository, Person, SignUpConflict

_log = structlog.get_logger()

_ID_BYTES: Final = 12
_ANY_SEAT: Final = "any"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class People:
    """Identifies requests; creates and changes guests, accounts and tokens."""

    def __init__(
        self, store: PeopleRepository, secret: str, now: Callable[[], int] = _now_ms
    ) -> None:
        self.store = store
        self._signer = Signer(secret)
        self.sessions = Sessions(store, self._signer)
        self._now = now
        # Verified when there is no such account, so that an answer takes as long either way.
        self._dummy_hash = passwords.dummy_hash()

    @classmethod
    async def open(cls, store: PeopleRepository) -> People:
        await store.refresh_likenesses()
        return cls(store, await store.secret("signing", secrets.token_hex(32)))

    # Identity.

    async def identify(self, cookie: str | None, authorization: str | None) -> Identity:
        """Return the identity of credentials; without any, a new guest."""
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            name = digest(token)
            found = await self.store.by_token(name) if scheme.lower() == "bearer" else None
            if found is None:
                raise Unauthorised("bad-token", N_("This token is not valid."))
            person_id, scope = found
            return Identity(person_id, token=name, scope=scope)
        known = await self.sessions.find(cookie, self._now()) if cookie else None
        return known or self.new_guest()

    def new_guest(self) -> Identity:
        """Return a new guest."""
        return self.sessions.guest(secrets.token_urlsafe(_ID_BYTES))

    async def person(self, identity: Identity, language: str = words.ENGLISH) -> Person:
        """Return a person; a guest without a name of their own gets a generated one."""
        known = await self.store.get(identity.id)
        guest_name = _guest_name(identity.id, language)
        if known is None:
            return Person(identity.id, guest_name)
        if known.account is None and known.name != guest_name:
            try:
                await self.free_name(known.name, known)
            except Refusal:
                # An account has taken the name since they chose it.
                return replace(known, name=guest_name)
        return known

    async def ensure_stored(self, person: Person) -> Person:
        """Store a person who is not stored yet."""
        if not person.created_at:
            person = replace(person, created_at=self._now())
            await self.store.save(person)
        return person

    async def rename(self, person: Person, name: str | None, language: str | None) -> Person:
        """Change a person's name or language; an account's name can't change."""
        if name is not None and person.account:
            raise BadRequest("account-name", N_("The name of an account can't be changed."))
        if language is not None and language not in words.languages():
            raise no_such_language(language)
        changed = replace(
            person,
            name=await self.free_name(name, person) if name is not None else person.name,
            language=language or person.language,
            created_at=person.created_at or self._now(),
        )
        await self.store.save(changed)
        return changed

    async def free_name(self, name: str, wearer: Person) -> str:
        """Return a guest's cleaned name; raise `Refusal` if it looks like an account's."""
        cleaned = clean_name(name)
        if wearer.account and likeness(cleaned) == likeness(wearer.account):
            return cleaned
        if is_reserved(cleaned) or await self._is_account(cleaned):
            raise _taken(cleaned)
        return cleaned

    async def _is_account(self, name: str) -> bool:
        """Whether an account has this name, or one that looks like it."""
        store = self.store
        return bool(await store.by_likeness(likeness(name)) or await store.by_account(name))

    # Accounts.

    async def sign_up(self, person: Person, name: str, password: str, agent: str) -> Identity:
        """Turn a guest into an account; the games stay theirs, the guest's cookie is void."""
        if person.account:
            raise _signed_in()
        name = clean_name(name)
        if is_reserved(name):
            raise _taken(name)
        passwords.check(password, name)
        if await self._is_account(name):
            raise _taken(name)
        person = replace(person, created_at=person.created_at or self._now())
        match await self.store.give_account(person, name, await passwords.hash_password(password)):
            case SignUpConflict.NAME:
                raise _taken(name)
            case SignUpConflict.PERSON:
                raise _signed_in()
        return await self.sessions.begin(person.id, agent, self._now())

    async def sign_in(self, owner: Person | None, password: str) -> Person:
        """Return the owner if the password is right; `owner` is None if there is no account."""
        known = owner.password if owner and owner.password else self._dummy_hash
        if not await passwords.verify(known, password) or owner is None:
            raise _wrong_password()
        return owner

    async def change_password(self, person: Person, old: str, new: str, agent: str) -> Identity:
        """Change the password, end all sessions and the token, begin a session; in one step."""
        await self.check_password(person, old)
        passwords.check(new, person.account or "")
        hashed = await passwords.hash_password(new)
        identity, session = self.sessions.new_session(person.id, agent, self._now())
        if not await self.store.change_password(person, hashed, session):
            # The password was changed by another request since it was verified.
            raise _not_your_password()
        return identity

    async def check_password(self, person: Person, password: str) -> None:
        """Raise `Refusal` if the password is wrong; for actions that can't be undone."""
        if not person.account:
            raise Forbidden("account-needed", N_("This needs an account."))
        if not await passwords.verify(person.password or self._dummy_hash, password):
            raise _not_your_password()

    async def new_token(self, person: Person, scope: TokenScope) -> tuple[str, str | None]:
        """Create a token for programs; return it and the digest of the one that is void now."""
        token = secrets.token_urlsafe(32)
        return token, await self.store.set_token(person.id, digest(token), scope)

    # Networks.

    async def note_network(self, person_id: str, address: str) -> None:
        """Store that an account was used from an address."""
        await self.store.note_network(person_id, self._network(address), self._now())

    async def knows_network(self, person_id: str, address: str) -> bool:
        """Whether the account was used from this address lately."""
        since = self._now() - NETWORK_MS
        return await self.store.knows_network(person_id, self._network(address), since)

    def _network(self, address: str) -> str:
        # Keyed, since there are few addresses: without the secret each could be tried.
        return self._signer.digest("network", group_of(address))

    async def purge(self, guest_days: int) -> None:
        """Delete expired sessions, guests who never played, and the like."""
        guest_ms = guest_days * 86_400_000 if guest_days else None
        deleted = await self.store.purge(self._now(), LIFETIME_S * 1000, guest_ms)
        if deleted:
            _log.info("purged", rows=deleted)

    # Seat keys are computed, not stored, so no list of games can leak them.

    def seat_key(self, game_id: str, seat: str = _ANY_SEAT) -> str:
        """Return the key of a seat's invitation link."""
        return self._signer.digest("seat", f"{game_id} {seat}")

    def is_seat_key(self, key: str, game_id: str, seat: str) -> bool:
        """Whether a key is valid for that seat, or for any."""
        return any(
            self._signer.matches(key, "seat", f"{game_id} {one}") for one in (seat, _ANY_SEAT)
        )


def _taken(name: str) -> Refusal:
    return Conflict(
        "name-taken", N_("The name {name}, or one that looks like it, is taken."), name=name
    )


def _signed_in() -> Refusal:
    return Conflict("signed-in", N_("You already have an account."))


def _not_your_password() -> Refusal:
    return Forbidden("wrong-password", N_("Wrong password."))


def _wrong_password() -> Refusal:
    return Unauthorised("wrong-password", N_("Name and password don't match."))


def _guest_name(person_id: str, language: str) -> str:
    number = int(hashlib.sha256(person_id.encode()).hexdigest()[:8], 16) % 9000 + 1000
    return words.say(language, N_("Guest {number}"), number=number)
