"""How news travels: within a process, or through Redis among many."""
