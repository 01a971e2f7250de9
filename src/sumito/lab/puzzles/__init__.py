"""Puzzles made from games: found, proved, sorted by theme and difficulty."""
