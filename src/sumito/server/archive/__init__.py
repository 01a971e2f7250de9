"""Finished and imported games: search, records, pictures."""
