"""The protocol of server and clients as msgspec structs: requests, commands, views, frames.

The OpenAPI document and the page's `protocol.ts` are generated from them (`make types`).
"""

from sumito.protocol import commands, frames, requests, scalars, views

__all__ = ["commands", "frames", "requests", "scalars", "views"]
