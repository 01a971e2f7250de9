"""Games between people as the server keeps them: rooms, changes, seats, the lobby."""
