"""Matches, training, puzzles and openings, on many cores or machines."""
