"""Finds puzzles in games: search, proof, themes and difficulty."""
