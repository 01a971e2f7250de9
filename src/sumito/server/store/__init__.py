"""Everything that outlives the process: games as their events, people, ratings, chat."""

from sumito.server.store.database import Database, UnavailableError, open_database
from sumito.server.store.games import (
    Changes,
    ChatRow,
    ConflictError,
    FullError,
    GameStore,
    SeatRow,
    StoredEvent,
    StoredGame,
)
from sumito.server.store.people import PeopleStore, Person, Session, Taken
from sumito.server.store.ratings import NETWORK_MS

__all__ = [
    "NETWORK_MS",
    "Changes",
    "ChatRow",
    "ConflictError",
    "Database",
    "FullError",
    "GameStore",
    "PeopleStore",
    "Person",
    "SeatRow",
    "Session",
    "StoredEvent",
    "StoredGame",
    "Taken",
    "UnavailableError",
    "open_database",
]
