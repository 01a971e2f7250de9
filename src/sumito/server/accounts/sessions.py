"""Sessions: cookies of guests and accounts, and the connections that depend on them.

A guest's cookie is their signed id; nothing is stored for visitors. It never gives access to an
account: signing up or in begins a new session, which is stored, so that it can be ended here and
everywhere. A guest cookie that somebody else knew is worth nothing afterwards.

Connections belong to the session they were opened with and end with it, in every process.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sumito.protocol.requests import TokenScope
from sumito.server.base.signing import Signer
from sumito.server.storage import PeopleRepository, Session

COOKIE: Final = "sumito"
DEVICE_COOKIE: Final = "sumito-device"
"""Lists the accounts that were signed in to with this browser; it gives access to none."""
LIFETIME_S: Final = 365 * 86_400
_MOST_PER_DEVICE: Final = 8
_GUEST: Final = "guest"
_DEVICE: Final = "device"
_PREFIX: Final = "s."
"""Distinguishes a session's cookie from a guest's, whose signature never begins like this."""
_FRESH_MS: Final = 3_600_000
"""How often a session's last use is stored, at most."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who sent a request; `cookie` is set if the browser has to be given one."""

    id: str
    cookie: str | None = None
    session: str | None = None
    """The session's name in the store; None for guests and tokens."""
    token: str | None = None
    """The digest of the token that came with the request."""
    scope: TokenScope = "account"
    """What the request may do; a token may do less than its owner."""

    @property
    def by_token(self) -> bool:
        return self.token is not None

    @property
    def credential(self) -> str | None:
        """What stands in the store for this identity; None for a guest's cookie."""
        return self.session or self.token


class Sessions:
    """Begins, finds and ends sessions; knows the connections of this process."""

    def __init__(self, store: PeopleRepository, signer: Signer) -> None:
        self._store = store
        self._signer = signer
        self._open: defaultdict[str, set[SessionConnection]] = defaultdict(set)

    # Cookies.

    def guest(self, person_id: str) -> Identity:
        """Return a guest's identity with a new cookie."""
        return Identity(person_id, cookie=self._signer.sign(_GUEST, person_id))

    async def find(self, cookie: str, now: int) -> Identity | None:
        """Return the identity of a cookie; None if it is not valid."""
        if cookie.startswith(_PREFIX):
            return await self._find_session(cookie, now)
        person_id = self._signer.verify(_GUEST, cookie)
        if not isinstance(person_id, str) or await self._store.has_account(person_id):
            return None
        return Identity(person_id)

    async def _find_session(self, cookie: str, now: int) -> Identity | None:
        name = digest(cookie)
        found = await self._store.session(name)
        if found is None or now - found.seen_at > LIFETIME_S * 1000:
            return None
        if now - found.seen_at > _FRESH_MS:
            await self._store.touch_session(name, now)
        return Identity(found.person_id, session=name)

    async def begin(self, person_id: str, agent: str, now: int) -> Identity:
        """Begin a session of an account's owner."""
        identity, session = self.new_session(person_id, agent, now)
        await self._store.begin_session(session)
        return identity

    def new_session(self, person_id: str, agent: str, now: int) -> tuple[Identity, Session]:
        """Return a session that is still to be stored, and its identity."""
        cookie = _PREFIX + secrets.token_urlsafe(32)
        name = digest(cookie)
        session = Session(name, person_id, agent[:200], now, now)
        return Identity(person_id, cookie=cookie, session=name), session

    # Devices.

    def device(self, cookie: str | None, person_id: str) -> str | None:
        """Return the device's id if it was used to sign in to this account before."""
        device, *people = self._read_device(cookie)
        return device if person_id in people else None

    def remember_device(self, cookie: str | None, person_id: str) -> str:
        """Return the device's cookie after a sign-in to this account."""
        device, *people = self._read_device(cookie)
        people = [person_id, *(one for one in people if one != person_id)][:_MOST_PER_DEVICE]
        return self._signer.sign(_DEVICE, [device or secrets.token_urlsafe(12), *people])

    def _read_device(self, cookie: str | None) -> list[str]:
        content = self._signer.verify(_DEVICE, cookie or "")
        return content if isinstance(content, list) and content else [""]

    # Connections.

    def connection(self, identity: Identity) -> SessionConnection:
        """Return a connection that ends with its session."""
        return SessionConnection(identity, self._open)

    def close_connections(self, person_id: str, credential: str | None = None) -> None:
        """End the connections of one session or token, or all of a person's."""
        for opened in list(self._open.get(person_id, ())):
            if credential is None or opened.identity.credential == credential:
                opened.end()

    async def recheck(self) -> None:
        """End the connections whose session or token has ended, or whose guest has an account.

        For a process that may have missed messages about it.
        """
        opened = [one for each in self._open.values() for one in each]
        identities = [one.identity for one in opened]
        valid = await self._store.valid_credentials(
            {one.credential for one in identities if one.credential is not None}
        )
        accounts = await self._store.accounts_among(
            {one.id for one in identities if one.credential is None}
        )
        for one in opened:
            credential = one.identity.credential
            if one.identity.id in accounts if credential is None else credential not in valid:
                one.end()


class SessionConnection:
    """A connection and its session; a context manager that registers it as open."""

    __slots__ = ("_open", "ended", "identity", "on_end")

    def __init__(self, identity: Identity, open: defaultdict[str, set[SessionConnection]]) -> None:
        self.identity = identity
        self.ended = False
        self.on_end: Callable[[], None] | None = None
        self._open = open

    def __enter__(self) -> SessionConnection:
        self._open[self.identity.id].add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._open[self.identity.id].discard(self)
        if not self._open[self.identity.id]:
            del self._open[self.identity.id]

    def end(self) -> None:
        """Note that the session has ended, and end the connection."""
        self.ended = True
        if self.on_end is not None:
            self.on_end()


def digest(secret: str) -> str:
    """Return the digest of a secret, which is stored instead of it."""
    return hashlib.sha256(secret.encode()).hexdigest()
