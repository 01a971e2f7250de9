"""HTTP endpoints of the person who asks: name, account, sessions, tokens, data, deletion."""

from __future__ import annotations

from typing import Final, cast

import msgspec
import structlog
from starlette.responses import Response

from sumito.protocol import requests, scalars, views
from sumito.server.accounts.sessions import Identity
from sumito.server.games import account_deletion, presenter
from sumito.server.ratings.ratings import Rating, displayed
from sumito.server.refusals import Refusal
from sumito.server.storage import Person
from sumito.server.web.operations import Call, Operation
from sumito.teaching import course

_log = structlog.get_logger()
_STEPS: Final = frozenset(
    step.key.removeprefix("lesson.").replace(".", "/", 1)
    for lesson in course()
    for step in lesson.steps
)
"""All steps of the course, as in their URLs; nothing else is stored."""


async def get_me(call: Call) -> views.MeView:
    """Who I am."""
    return await _me(call, await call.person())


async def put_me(call: Call) -> views.MeView:
    """Change my name or language."""
    patch = call.body(requests.MePatch)
    person = await call.services.people.rename(await call.person(), patch.name, patch.language)
    return await _me(call, person)


async def _me(call: Call, person: Person) -> views.MeView:
    account = None
    if person.account:
        ratings = await call.services.people.store.ratings(person.id)
        account = views.AccountView(person.account, rating_views(ratings))
    return views.MeView(person.id, person.name, account, person.language or call.language)


def rating_views(ratings: dict[str, Rating]) -> dict[scalars.Mode, views.RatingView]:
    """Return ratings as views."""
    return {
        cast(scalars.Mode, mode): views.RatingView(displayed(rating), rating.games)
        for mode, rating in ratings.items()
    }


async def put_learned(call: Call) -> views.LearnedView:
    """Add steps of the course that I have done; the answer has those of all devices."""
    request = call.body(requests.LearnedSteps)
    person = await call.person()
    if person.account is None:
        return views.LearnedView(sorted(_STEPS.intersection(request.steps)))
    store = call.services.people.store
    await store.add_learned(person.id, _STEPS.intersection(request.steps))
    return views.LearnedView(await store.learned(person.id))


# Accounts and sessions.


async def sign_up(call: Call) -> views.MeView:
    """Turn me, a guest, into an account."""
    await call.services.limits.sign_up(call.address)
    credentials = call.body(requests.Credentials)
    people = call.services.people
    identity = await people.sign_up(
        await call.person(), credentials.name, credentials.password, call.agent
    )
    # Connections opened with the guest's cookie end: somebody else may know it.
    await _switch_identity(call, identity)
    await _remember_device(call, identity.id)
    _log.info("account created", account=credentials.name)
    return await _me(call, await people.person(identity))


async def sign_in(call: Call) -> views.MeView:
    """Sign in."""
    credentials = call.body(requests.Credentials)
    people, limits = call.services.people, call.services.limits
    found = await people.store.by_account(credentials.name)
    device = people.sessions.device(call.device_cookie, found.id) if found else None
    await limits.sign_in(call.address, credentials.name, device)
    if device is None and not (found and await people.knows_network(found.id, call.address)):
        await limits.slow_down(credentials.name)
    try:
        owner = await people.sign_in(found, credentials.password)
    except Refusal:
        await limits.wrong_password(credentials.name)
        # Don't log unknown names: it may be a password typed into the wrong field.
        known = found.account if found else None
        _log.warning("sign-in failed", account=known, address=call.address)
        raise
    guest = await people.store.get(call.identity.id)
    if guest is not None and guest.account is None:
        await call.services.games.merge_guest(guest.id, owner)
    if call.identity.session is not None:
        await people.store.end_session(call.identity.session)
    await _switch_identity(
        call, await people.sessions.begin(owner.id, call.agent, call.services.games.now())
    )
    await _remember_device(call, owner.id)
    return await _me(call, owner)


async def _remember_device(call: Call, person_id: str) -> None:
    """Remember browser and network: wrong passwords from elsewhere don't slow them down."""
    people = call.services.people
    call.new_device_cookie = people.sessions.remember_device(call.device_cookie, person_id)
    await people.note_network(person_id, call.address)


async def _switch_identity(call: Call, identity: Identity) -> None:
    """Give the browser another identity; its connections are closed."""
    await call.services.close_sessions(call.identity.id, call.identity.credential)
    call.cookie = identity.cookie


async def sign_out(call: Call) -> views.MeView:
    """Sign out in this browser."""
    if call.identity.session is not None:
        await call.services.people.store.end_session(call.identity.session)
    return await _leave(call, call.identity.credential)


async def sign_out_everywhere(call: Call) -> views.MeView:
    """Sign out in all browsers and revoke my token."""
    await call.services.people.store.end_access(call.identity.id)
    return await _leave(call, None)


async def _leave(call: Call, credential: str | None) -> views.MeView:
    await call.services.close_sessions(call.identity.id, credential)
    return await _become_guest(call)


async def _become_guest(call: Call) -> views.MeView:
    newcomer = call.services.people.new_guest()
    call.cookie = newcomer.cookie
    return await _me(call, await call.services.people.person(newcomer, call.language))


async def list_sessions(call: Call) -> list[views.SessionView]:
    """Where I am signed in."""
    return await _session_views(call)


async def _session_views(call: Call) -> list[views.SessionView]:
    return [
        views.SessionView(one.agent, one.created_at, one.seen_at, one.name == call.identity.session)
        for one in await call.services.people.store.sessions_of(call.identity.id)
    ]


async def change_password(call: Call) -> views.MeView:
    """Change my password, sign out everywhere else and revoke my token."""
    change = call.body(requests.PasswordChange)
    await _limit_confirmations(call)
    person = await call.person()
    identity = await call.services.people.change_password(
        person, change.old, change.new, call.agent
    )
    await call.services.close_sessions(person.id)
    call.cookie = identity.cookie
    return await _me(call, person)


async def delete_account(call: Call) -> views.MeView:
    """Delete my account; the games I played stay, without my name."""
    await _limit_confirmations(call)
    person = await call.person()
    await call.services.people.check_password(person, call.body(requests.Confirmation).password)
    await account_deletion.delete_account(call.services.games, person)
    _log.info("account deleted")
    await call.services.close_sessions(person.id, deleted=True)
    return await _become_guest(call)


async def _limit_confirmations(call: Call) -> None:
    """Count an attempt: a stolen session may not guess passwords for long."""
    await call.services.limits.confirm(call.address, call.identity.id)


async def export_data(call: Call) -> Response:
    """Export all data that is stored about me."""
    person = await call.person()
    store = call.services.people.store
    data = views.PersonalData(
        person.id,
        person.name,
        person.account,
        person.language,
        person.created_at,
        await _session_views(call),
        rating_views(await store.ratings(person.id)),
        [
            views.ModePoint(mode, at, rating, game)
            for mode, at, rating, game in await store.rating_history(person.id)
        ],
        presenter.summaries(
            [game async for game in call.services.games.store.all_of_person(person.id)]
        ),
        [views.StoredChatLine(game, at, body) for game, at, body in await store.chat_of(person.id)],
        await store.learned(person.id),
    )
    return Response(
        msgspec.json.format(msgspec.json.encode(data), indent=1),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="sumito-data.json"'},
    )


async def new_token(call: Call) -> views.TokenView:
    """Create a token for a bot; an earlier one is revoked."""
    await call.services.limits.confirm(call.address, call.identity.id)
    scope = call.body(requests.NewToken).scope
    person = await call.stored_person()
    token, before = await call.services.people.new_token(person, scope)
    await _close_token(call, before)
    return views.TokenView(token, scope)


async def drop_token(call: Call) -> Response:
    """Revoke my token."""
    before = await call.services.people.store.set_token(call.identity.id, None)
    await _close_token(call, before)
    return Response(status_code=204)


async def _close_token(call: Call, token: str | None) -> None:
    if token is not None:
        await call.services.close_sessions(call.identity.id, token)


OPERATIONS: Final = (
    Operation("GET", "/api/me", get_me, result=views.MeView),
    Operation("PUT", "/api/me", put_me, requests.MePatch, views.MeView, refusals=(409,)),
    Operation("PUT", "/api/me/learned", put_learned, requests.LearnedSteps, views.LearnedView),
    Operation("GET", "/api/me/data", export_data, result=views.PersonalData, scope="account"),
    Operation(
        "PUT",
        "/api/me/password",
        change_password,
        requests.PasswordChange,
        views.MeView,
        scope="account",
    ),
    Operation(
        "POST",
        "/api/me/delete",
        delete_account,
        requests.Confirmation,
        views.MeView,
        scope="account",
    ),
    Operation(
        "POST",
        "/api/accounts",
        sign_up,
        requests.Credentials,
        views.MeView,
        201,
        refusals=(409,),
        scope="account",
    ),
    Operation(
        "POST",
        "/api/session",
        sign_in,
        requests.Credentials,
        views.MeView,
        refusals=(401,),
        scope="account",
    ),
    Operation("DELETE", "/api/session", sign_out, result=views.MeView, scope="account"),
    Operation(
        "GET", "/api/sessions", list_sessions, result=list[views.SessionView], scope="account"
    ),
    Operation("DELETE", "/api/sessions", sign_out_everywhere, result=views.MeView, scope="account"),
    Operation(
        "POST",
        "/api/tokens",
        new_token,
        requests.NewToken,
        views.TokenView,
        201,
        scope="account",
    ),
    Operation("DELETE", "/api/tokens", drop_token, status=204, scope="account"),
)
