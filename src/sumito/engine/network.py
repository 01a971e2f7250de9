"""The network that judges positions: the one in the package, one from a file, or none.

A file has a part for each mode it can judge, one after another; other modes are judged by hand.
None stands for the package's own and the word `none` for the hand-made evaluation, so that a file
can be named in every place that takes a network, a text protocol included.
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
    """A network by its path or its contents; without one, that of the package.

    The word `none` asks for the hand-made evaluation.

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
    except (OSError, ValueError) as error:  # the second for what can't be a file's name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise NetworkError(
            N_("can't read the network {path}: {reason}"), path=path, reason=reason
        ) from None
    return parse(contents, path.name)  # of a long path an error shows only the beginning


def parse(contents: bytes, name: str = "the network") -> kernel.Network:
    """A network from the contents of its file; `name` is for the error."""
    check_type("contents", contents, bytes)
    try:
        return kernel.Network(contents)
    except ValueError as error:
        raise NetworkError(N_("{name} can't be used: {reason}"), name=name, reason=error) from None


def training_facts(part: kernel.ModeNetwork) -> dict[str, object]:
    """Return what the part of a network for a mode records about its training."""
    told = json.loads(part.facts or "{}")
    return told if isinstance(told, dict) else {}


def default_bytes() -> bytes:
    """The file of the package's own network."""
    return resources.files("sumito").joinpath(DEFAULT).read_bytes()


@cache
def _default() -> kernel.Network:
    return parse(default_bytes(), "the package's network")


# A thread that outlives the interpreter may keep this module, and with it what it remembers: the
# kernel would complain of a network that nobody gave back.
atexit.register(_default.cache_clear)
