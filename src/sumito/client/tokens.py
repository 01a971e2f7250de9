"""API tokens on disk, one for each server, so that a client is the same guest the next time."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from platformdirs import user_data_path


class TokenStore:
    """Tokens by the address of their server, in a file that only its owner may read."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or user_data_path("sumito") / "tokens.json"

    def get(self, url: str) -> str:
        """Return the token for a server; empty if there is none."""
        return self._read().get(url, "")

    def set(self, url: str, token: str) -> None:
        """Store a token. Best effort: without the file a new guest is created next time."""
        with suppress(OSError):
            tokens = self._read() | {url: token}
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            self._path.write_bytes(msgspec.json.encode(tokens))
            os.chmod(self._path, 0o600)  # noqa: PTH101

    def _read(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.MsgspecError):
            return {}
