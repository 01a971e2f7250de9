"""Everything that outlives the process: games as their events, people, ratings, chat."""

from sumito.server.store.database import Database, open_database
from sumito.server.store.games import Changes, ConflictError, Entry, GameStore, SeatRow, StoredGame
from sumito.server.store.people import PeopleStore, Person

__all__ = [
    "Changes",
    "ConflictError",
    "Database",
    "Entry",
    "GameStore",
    "PeopleStore",
    "Person",
    "SeatRow",
    "StoredGame",
    "open_database",
]
