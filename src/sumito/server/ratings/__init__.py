"""Ratings of players and puzzles, computed from results."""
