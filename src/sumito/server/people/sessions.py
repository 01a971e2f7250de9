"""Sessions: what a browser shows to be somebody.

A guest's cookie is their signed id; nothing is stored for visitors. It never opens an account: who
signs up or in gets a new session, which is stored, so that it can be ended here and everywhere. A
cookie that somebody else knew before is then worth nothing.

Connections stand for the session they were opened with and end with it, in every process.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer

from sumito.server.store import PeopleStore

COOKIE: Final = "sumito"
LIFETIME_S: Final = 365 * 86_400
_PREFIX: Final = "s."
"""Tells a session's cookie from a guest's; a signature has no place where it could begin so."""
_FRESH_MS: Final = 3_600_000
"""A session's last use is noted once in so long, not at every request."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose request it is; `cookie` is set where the browser has to be given one."""

    id: str
    by_token: bool = False
    cookie: str | None = None
    session: str | None = None
    """The session's name in the store; None for guests and tokens."""


class Sessions:
    """Begins, finds and ends sessions; knows the connections of this process."""

    def __init__(self, store: PeopleStore, secret: str) -> None:
        self._store = store
        self._signer = URLSafeSerializer(secret, salt="sumito-person")
        self._open: defaultdict[str, set[Opened]] = defaultdict(set)

    # Cookies.

    def guest(self, person_id: str) -> Identity:
        """A guest whom nobody has seen before."""
        signed = self._signer.dumps(person_id)
        return Identity(person_id, cookie=signed if isinstance(signed, str) else signed.decode())

    async def find(self, cookie: str, now: int) -> Identity | None:
        """Whose cookie it is, if it is good."""
        if cookie.startswith(_PREFIX):
            return await self._find_session(cookie, now)
        try:
            person_id = self._signer.loads(cookie)
        except BadSignature:
            return None
        if not isinstance(person_id, str) or await self._store.has_account(person_id):
            return None
        return Identity(person_id)

    async def _find_session(self, cookie: str, now: int) -> Identity | None:
        name = digest(cookie)
        found = await self._store.session(name)
        if found is None or now - found.seen_at > LIFETIME_S * 1000:
            return None
        if now - found.seen_at > _FRESH_MS:
            await self._store.see_session(name, now)
        return Identity(found.person_id, session=name)

    async def begin(self, person_id: str, agent: str, now: int) -> Identity:
        """A new session of an account's owner."""
        cookie = _PREFIX + secrets.token_urlsafe(32)
        name = digest(cookie)
        await self._store.begin_session(name, person_id, agent[:200], now)
        return Identity(person_id, cookie=cookie, session=name)

    # Connections.

    def opened(self, identity: Identity) -> Opened:
        """A connection that ends with its session."""
        return Opened(identity, self._open)

    def close(self, person_id: str, session: str | None = None) -> None:
        """End the connections of one session, or all of a person's."""
        for opened in list(self._open.get(person_id, ())):
            if session is None or opened.identity.session == session:
                opened.end()


class Opened:
    """A connection and the session it stands for; within a `with` it is known as open."""

    __slots__ = ("_open", "ended", "identity", "on_end")

    def __init__(self, identity: Identity, open: defaultdict[str, set[Opened]]) -> None:
        self.identity = identity
        self.ended = False
        self.on_end: Callable[[], None] | None = None
        self._open = open

    def __enter__(self) -> Opened:
        self._open[self.identity.id].add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._open[self.identity.id].discard(self)
        if not self._open[self.identity.id]:
            del self._open[self.identity.id]

    def end(self) -> None:
        """The session is no more."""
        self.ended = True
        if self.on_end is not None:
            self.on_end()


def digest(secret: str) -> str:
    """What the store knows of a secret: enough to recognise it, too little to use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
