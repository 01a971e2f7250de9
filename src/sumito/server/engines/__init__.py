"""Engines for games and for the analysis board."""
