"""The database: tables, migrations, and one repository for each kind of data."""

from sumito.server.storage.chat_repo import ChatRepository, ChatRow, FullError
from sumito.server.storage.database import Database, UnavailableError, open_database
from sumito.server.storage.games_repo import (
    Changes,
    ConflictError,
    GameRepository,
    SeatRow,
    StoredEvent,
    StoredGame,
)
from sumito.server.storage.liveness_repo import LivenessRepository
from sumito.server.storage.people_repo import PeopleRepository, Person, Session, SignUpConflict
from sumito.server.storage.ratings_repo import NETWORK_MS

__all__ = [
    "NETWORK_MS",
    "Changes",
    "ChatRepository",
    "ChatRow",
    "ConflictError",
    "Database",
    "FullError",
    "GameRepository",
    "LivenessRepository",
    "PeopleRepository",
    "Person",
    "SeatRow",
    "Session",
    "SignUpConflict",
    "StoredEvent",
    "StoredGame",
    "UnavailableError",
    "open_database",
]
