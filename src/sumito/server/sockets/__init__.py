"""The WebSocket door: connections to games and to the lobby."""
