"""Everything that outlives the process: games as their events, people, ratings, chat."""

from sumito.server.storage.database import Database, UnavailableError, open_database
from sumito.server.storage.games import (
    Changes,
    ChatRow,
    ConflictError,
    FullError,
    GameStore,
    SeatRow,
    StoredEvent,
    StoredGame,
)
from sumito.server.storage.people import PeopleStore, Person, Session, Taken
from sumito.server.storage.ratings import NETWORK_MS

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
