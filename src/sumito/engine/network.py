"""Loads the evaluation network: the package's, one from a file, or none.

A file has a part for each mode it supports; other modes use the handcrafted evaluation. `None`
stands for the package's network and the word `none` for the handcrafted evaluation, so that text
protocols can name every choice.
"""

from __future__ import annotations

import atexit
import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from sumito import kernel
from sumito.errors import NetworkError
from sumito.i18n.messages import N_
from sumito.validate import check_type

NO_NETWORK: Final = "none"
DEFAULT: Final = "data/network.bin"


def load(network: str | Path | bytes | None = None) -> kernel.Network | None:
    """Load a network from a path or its contents; the package's without an argument.

    The word `none` selects the handcrafted evaluation.

    >>> load("none") is None
    True
    """
    if network is None:
        return _default()
    if isinstance(network, bytes):
        return parse(network)
    check_type("network", network, (str, Path))
    if str(network) == NO_NETWORK:
        return None
    path = Path(network)
    try:
        contents = path.read_bytes()
    except (OSError, ValueError) as error:  # a `ValueError` if it can't be a file's name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise NetworkError(
            N_("can't read the network {path}: {reason}"), path=path, reason=reason
        ) from None
    return parse(contents, path.name)  # errors clip a long path


def parse(contents: bytes, name: str = "the network") -> kernel.Network:
    """Load a network from the contents of a file; `name` is for the error."""
    check_type("contents", contents, bytes)
    try:
        return kernel.Network(contents)
    except ValueError as error:
        raise NetworkError(N_("{name} can't be used: {reason}"), name=name, reason=error) from None


def training_facts(part: kernel.ModeNetwork) -> dict[str, object]:
    """Return what the part of a network for a mode records about its training."""
    facts = json.loads(part.facts or "{}")
    return facts if isinstance(facts, dict) else {}


def default_bytes() -> bytes:
    """Return the file of the package's network."""
    return resources.files("sumito").joinpath(DEFAULT).read_bytes()


@cache
def _default() -> kernel.Network:
    return parse(default_bytes(), "the package's network")


# A thread that outlives the interpreter can keep this module and its cache alive, and the kernel
# would report a leaked network.
atexit.register(_default.cache_clear)
