"""HTTP endpoint of the health check.

It writes to the database, since one that is locked or on a full disk can still be read, and it
reads past the cache, which may hide a broken file.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from typing import Final

import structlog

from sumito.protocol import views
from sumito.server.base.i18n import N_
from sumito.server.refusals import Unavailable
from sumito.server.web.operations import Call, Operation

_log = structlog.get_logger()

_TRY_S: Final = 3.0
_FRESH_S: Final = 1.0
"""How long a result is reused, so that frequent checks make no more writes."""
_PROCESS: Final = f"{socket.gethostname()[:28]}-{os.getpid()}"


async def health(call: Call) -> views.Health:
    """The health of the server and its database."""
    state = call.request.app.state
    last = getattr(state, "well_until", 0.0)
    if time.monotonic() >= last:
        await _try(call)
        state.well_until = time.monotonic() + _FRESH_S
    return views.Health("ok")


async def _try(call: Call) -> None:
    try:
        async with asyncio.timeout(_TRY_S):
            await call.services.people.store.probe_write(_PROCESS, call.services.games.now())
            await call.services.database.check_readable()
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        _log.error("the database can't be written", why=why)
        raise Unavailable(
            "unwell", N_("The server can't write to its database at the moment.")
        ) from error


OPERATIONS: Final = (Operation("GET", "/healthz", health, result=views.Health, refusals=(503,)),)
