"""The OpenAPI document, made from the operations and the types of their messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

import sumito
from sumito.protocol.views import ErrorAnswer
from sumito.server.web.operations import Operation

_REF: Final = "#/components/schemas/{name}"
_ALWAYS: Final = (400, 401, 403, 408, 413, 422, 429, 503)
_REASONS: Final = {
    400: "The request is malformed",
    401: "The credentials are missing or wrong",
    403: "The person is not allowed to do this",
    404: "What the request names does not exist",
    408: "The request took too long to arrive",
    409: "The request does not fit the present state",
    413: "The request is too large",
    422: "The content is invalid, or breaks the rules of the game",
    429: "Too many requests",
    503: "Not available at the moment, or not on this server",
}


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """All there is to say about the API."""
    operations = tuple(operations)
    types = [kind for one in operations for kind in (one.body, one.result) if kind is not None]
    schemas, components = msgspec.json.schema_components([*types, ErrorAnswer], ref_template=_REF)
    by_type = {id(kind): schema for kind, schema in zip(types, schemas, strict=False)}
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, by_type, schemas[-1])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sumito",
            "version": sumito.__version__,
            "description": "Abalone for two, three and four players. Games also talk over a "
            "WebSocket at /ws/games/{id}; commands are the same there.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "sumito"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
        "security": [{}, {"cookie": []}, {"token": []}],
    }


def _operation(one: Operation, by_type: dict[int, Any], error: Any) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": getattr(one.handler, "__name__", one.path),
        "summary": one.summary,
        "responses": _responses(one, by_type, error),
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", one.path)
    ] + [{"name": name, "in": "query", "schema": {"type": "string"}} for name in one.query]
    if parameters:
        described["parameters"] = parameters
    if one.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": by_type[id(one.body)]}},
        }
    return described


def _responses(one: Operation, by_type: dict[int, Any], error: Any) -> dict[str, Any]:
    success: dict[str, Any] = {"description": "Done"}
    if one.result is not None:
        success["content"] = {one.media: {"schema": by_type[id(one.result)]}}
    elif one.status != 204:
        success["content"] = {one.media: {"schema": {"type": "string"}}}
    refused = {
        str(status): {
            "description": _REASONS[status],
            "content": {"application/json": {"schema": error}},
        }
        for status in sorted({*_ALWAYS, *one.refusals})
    }
    return {str(one.status): success} | refused
