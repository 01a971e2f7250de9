"""Who plays: accounts, sessions, ratings."""
