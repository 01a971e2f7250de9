"""The tables. A game is defined by its `events`; what `games` repeats of them is for lists."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

METADATA: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

people: Final = Table(
    "people",
    METADATA,
    Column("id", String(24), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("language", String(10)),
    Column("created_at", BigInteger, nullable=False),
    Column("account", String(40)),
    # Two names that differ only in case would fool the eye, so the folded name is unique.
    Column("account_key", String(80), unique=True),
    # What the name looks like; names that look alike can't both be accounts'.
    Column("likeness", String(80)),
    Column("password", String(200)),
    Column("token", String(64), unique=True),
    # What the token may do: "account" everything, else play.
    Column("token_scope", String(10)),
    Index("uq_people_likeness", "likeness", unique=True),
)

sessions: Final = Table(
    "sessions",
    METADATA,
    # The digest of the cookie's secret: who reads the database can't sign in with it.
    Column("name", String(64), primary_key=True),
    Column("person_id", String(24), nullable=False, index=True),
    Column("agent", String(200), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False, index=True),
)

# From which networks an account was used lately, as keyed digests of their addresses.
networks: Final = Table(
    "networks",
    METADATA,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("network", String(32), primary_key=True),
    Column("seen_at", BigInteger, nullable=False, index=True),
)

games: Final = Table(
    "games",
    METADATA,
    Column("id", String(24), primary_key=True),
    Column("creator", String(24), nullable=False),
    Column("terms", Text, nullable=False),
    Column("status", String(10), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("version", Integer, nullable=False),
    Column("position", String(120), nullable=False),
    Column("moves", Integer, nullable=False),
    Column("winner", String(10)),
    Column("reason", String(20)),
    # When the game has to be checked: a flag may fall, or a computer should have moved.
    Column("due_at", BigInteger),
    # Made by quick pairing: it ends when its maker stops waiting.
    Column("queued", Boolean, nullable=False, server_default=false()),
    Index("ix_games_lobby", "status", "listed", "created_at"),
    Index("ix_games_due", "due_at"),
    Index("ix_games_ended", "ended_at"),
    Index("ix_games_creator", "creator", "created_at"),
)

seats: Final = Table(
    "seats",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("colour", String(10), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("person_id", String(24), index=True),
    Column("name", String(40), nullable=False),
    Column("level", String(20)),
    # What the rating was when they sat down.
    Column("rating", Integer),
    # Is the name an account's? Guests choose theirs, so they are shown differently.
    Column("account", Boolean, nullable=False, server_default=false()),
    Index("ix_seats_name", "name"),
)

events: Final = Table(
    "events",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(24), nullable=False),
    Column("body", Text, nullable=False),
    # Who sent the command, and the name they gave it: the same command twice is done once.
    Column("person_id", String(24)),
    Column("ref", String(64)),
    UniqueConstraint("game_id", "person_id", "ref"),
)

chat: Final = Table(
    "chat",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game_id", ForeignKey("games.id"), nullable=False, index=True),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    # As with events: a line that was sent twice is stored once.
    Column("person_id", String(24)),
    Column("ref", String(64)),
    UniqueConstraint("game_id", "person_id", "ref"),
)

ratings: Final = Table(
    "ratings",
    METADATA,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("mode", String(16), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
)

rating_history: Final = Table(
    "rating_history",
    METADATA,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("mode", String(16), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("rating", Integer, nullable=False),
    Index("ix_rating_history_game_id", "game_id"),
    Index("ix_rating_history_person_id_mode_at", "person_id", "mode", "at"),
)

# Games that were played to their end and are open to all, and those of imported records.
archive: Final = Table(
    "archive",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    # Of a game played here its id in `games`, of another one a digest: the same game comes once.
    Column("game_id", String(24), nullable=False, unique=True),
    Column("imported", Boolean, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("layout", String(40), nullable=False),
    Column("start", String(120), nullable=False),
    Column("moves", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("winner", String(10)),
    Column("reason", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    # Of an imported game, as JSON.
    Column("tags", Text),
    # How the game stood at its end; none if it can't be played through.
    Column("final", String(120)),
    Index("ix_archive_at", "at", "number"),
    Index("ix_archive_layout", "layout", "at"),
)

# Who played in imported games; of games played here `seats` knows.
archive_players: Final = Table(
    "archive_players",
    METADATA,
    Column("number", ForeignKey("archive.number"), primary_key=True),
    Column("colour", String(10), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("name_key", String(160), nullable=False),
    Column("rating", Integer),
    Index("ix_archive_players_name_key", "name_key", "number"),
)

# Which games reached a position, however it was turned.
reached: Final = Table(
    "reached",
    METADATA,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# Moves played in a position with their results, as counts; symmetric positions are one.
openings: Final = Table(
    "openings",
    METADATA,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("move", Integer, primary_key=True, autoincrement=False),
    Column("games", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("second", Integer, nullable=False),
    Column("third", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("rating_sum", BigInteger, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("last_at", BigInteger, nullable=False),
    Column("last_number", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# Puzzle results: the first attempt at each puzzle counts, for the person and for the puzzle.
puzzle_results: Final = Table(
    "puzzle_results",
    METADATA,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("puzzle_id", String(16), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("solved", Boolean, nullable=False),
)

puzzle_players: Final = Table(
    "puzzle_players",
    METADATA,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)

puzzle_ratings: Final = Table(
    "puzzle_ratings",
    METADATA,
    Column("puzzle_id", String(16), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("tries", Integer, nullable=False),
)

pulses: Final = Table(
    "pulses",
    METADATA,
    Column("process", String(40), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

outages: Final = Table(
    "outages",
    METADATA,
    Column("started_at", BigInteger, primary_key=True, autoincrement=False),
    Column("stopped_at", BigInteger, nullable=False),
)

learned: Final = Table(
    "learned",
    METADATA,
    Column("person_id", String(24), primary_key=True),
    # A step of the course, as its address names it: sumito/2-1.
    Column("step", String(60), primary_key=True),
)

probes: Final = Table(
    "probes",
    METADATA,
    Column("process", String(40), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

secrets: Final = Table(
    "secrets",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("value", String(100), nullable=False),
)
