"""Write the page's types from the structs of the wire: scripts/protocol.py [--check]

One definition of the protocol, in Python; `web/src/domain/protocol.ts` is never edited by hand.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, Struct, UnsetType

from sumito.protocol import commands, frames, requests, scalars, views

FILE = Path(__file__).parent.parent / "web/src/domain/protocol.ts"
MODULES = (scalars, requests, commands, views, frames)
ASKED = (requests.__name__, commands.__name__)
"""What a client sends may leave out fields with a default; in what it gets, all are there."""
WIDTH = 100
HEAD = """\
// The messages of the server's API. Generated from src/sumito/protocol by `make types`; don't edit.
"""
PLAIN: dict[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    Any: "unknown",
    type(None): "null",
}


def is_alias(value: object) -> bool:
    """Is that a type with a name of its own?"""
    return get_origin(value) in (Literal, Union, types.UnionType, dict)


ALIASES: list[tuple[str, Any]] = [
    (name, value)
    for module in MODULES
    for name, value in vars(module).items()
    if not name.startswith("_") and is_alias(value)
]


def name_of(struct: type[Struct]) -> str:
    """What the page calls it."""
    return struct.__name__.removesuffix("View")


def write(kind: object, own: str | None = None) -> str:
    """A Python type as TypeScript says it; `own` is the alias being defined."""
    for name, value in ALIASES:
        if name != own and value == kind:
            return name
    if kind in PLAIN:
        return PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return name_of(kind)
    return write_generic(get_origin(kind), get_args(kind))


def write_generic(origin: object, parts: tuple[Any, ...]) -> str:
    """A type that is made of others."""
    if origin is Annotated:
        return write(parts[0])
    if origin is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    if origin in (Union, types.UnionType):
        return write_union(parts)
    if origin is list:
        inner = write(parts[0])
        return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
    if origin is dict:
        record = f"Record<{write(parts[0])}, {write(parts[1])}>"
        return record if parts[0] is str else f"Partial<{record}>"
    raise TypeError(f"no TypeScript for {origin}")


def write_union(parts: tuple[Any, ...]) -> str:
    """A union, with those of its members together that have a name together."""
    left = [part for part in parts if part is not UnsetType]
    said = []
    for name, value in ALIASES:
        members = get_args(value) if get_origin(value) in (Union, types.UnionType) else ()
        if members and len(members) < len(left) and all(one in left for one in members):
            said.append(name)
            left = [part for part in left if part not in members]
    said += [write(part) for part in left]
    return " | ".join([one for one in said if one != "null"] + ["null"] * ("null" in said))


def write_alias(name: str, value: object) -> str:
    """A type with a name."""
    line = f"export type {name} = {write(value, name)};"
    if len(line) <= WIDTH:
        return line
    parts = write(value, name).split(" | ")
    return f"export type {name} =\n" + "\n".join(f"  | {part}" for part in parts) + ";"


def write_struct(struct: type[Struct]) -> str:
    """A struct as an interface."""
    config = struct.__struct_config__
    lines = [f"/** {(struct.__doc__ or '').strip()} */", f"export interface {name_of(struct)} {{"]
    if config.tag is not None:
        lines.append(f'  readonly {config.tag_field}: "{config.tag}";')
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        has_default = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
        optional = field.default is UNSET or (has_default and struct.__module__ in ASKED)
        mark = "?" if optional else ""
        lines.append(f"  readonly {field.encode_name}{mark}: {write(hints[field.name])};")
    return "\n".join([*lines, "}"])


def parts() -> Iterator[str]:
    """All types in the order of the wire."""
    seen: set[str] = set()
    for module in MODULES:
        for name, value in vars(module).items():
            if name.startswith("_") or name in seen:
                continue
            if (name, value) in ALIASES:
                seen.add(name)
                yield write_alias(name, value)
            elif is_sent(value) and value.__module__ == module.__name__:
                yield write_struct(value)


def is_sent(value: object) -> TypeGuard[type[Struct]]:
    """Is that a struct, and not just the root of a tagged union?"""
    if not isinstance(value, type) or not issubclass(value, Struct) or value is Struct:
        return False
    return value.__struct_config__.tag != value.__name__


def text() -> str:
    """The whole file."""
    version = f"export const PROTOCOL = {commands.PROTOCOL};"
    return "\n\n".join([HEAD.rstrip(), version, *parts()]) + "\n"


def main() -> None:
    """Write the file, or see whether it is up to date."""
    if "--check" in sys.argv:
        if FILE.read_text(encoding="utf-8") != text():
            sys.exit(f"sumito: {FILE.name} is older than the wire: run `make types`")
        return
    FILE.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
