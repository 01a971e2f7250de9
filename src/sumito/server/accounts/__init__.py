"""Guests and accounts: passwords, sessions, tokens."""
