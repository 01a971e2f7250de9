"""The server: games over HTTP and WebSocket, around the pure `sumito.game`.

Commands come in, the game answers with events, the events are stored, then sent. The database is
the referee: an event is a row keyed by game and version, so of two writers only one can win, and
no process owns a game.
"""
