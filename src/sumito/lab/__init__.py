"""Bulk work on many cores or machines: matches (`match`), learning (`learn`, `mcts`)."""
