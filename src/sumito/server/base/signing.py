"""Signing with the server's secret: keyed digests, and JSON values that clients keep for it.

Each use names its purpose, which is part of what is signed: a value that was signed for one
purpose is not accepted for another.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Any, Final

import msgspec

_DIGEST_LENGTH: Final = 32
"""Hexadecimal digits of a digest: 128 bits."""


class Signer:
    """Signs and verifies with HMAC-SHA256."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def digest(self, purpose: str, text: str) -> str:
        """Return a digest that can't be computed without the secret, as hexadecimal digits."""
        message = f"{purpose} {text}".encode()
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()[:_DIGEST_LENGTH]

    def matches(self, digest: str, purpose: str, text: str) -> bool:
        """Whether a digest is that of a text; takes the same time either way."""
        return hmac.compare_digest(digest.encode(), self.digest(purpose, text).encode())

    def sign(self, purpose: str, value: Any) -> str:
        """Return a JSON value with its signature, as a text that fits into a cookie."""
        content = base64.urlsafe_b64encode(msgspec.json.encode(value)).decode().rstrip("=")
        return f"{content}.{self.digest(purpose, content)}"

    def verify(self, purpose: str, text: str) -> Any:
        """Return the value of a signed text; None if the signature is missing or wrong."""
        content, _, digest = text.rpartition(".")
        if not self.matches(digest, purpose, content):
            return None
        try:
            padded = content + "=" * (-len(content) % 4)
            return msgspec.json.decode(base64.urlsafe_b64decode(padded))
        except (binascii.Error, msgspec.DecodeError, UnicodeDecodeError):
            return None
