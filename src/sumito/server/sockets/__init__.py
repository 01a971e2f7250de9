"""WebSockets: connections to games and to the lobby."""
