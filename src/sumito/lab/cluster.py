"""Where bulk work is done: threads of this machine, or the workers of a Dask cluster.

Both are executors of `concurrent.futures`, so that nobody who hands out work needs to know which.
A job must follow from its arguments alone: a cluster plays it again elsewhere when a worker dies.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from typing import Final, TypeVar

from sumito.errors import LabError

CONNECT_SECONDS: Final = 20
Key = TypeVar("Key")
Value = TypeVar("Value")

TRIES: Final = 3
"""How often a job that failed is tried again; one whose worker died is no failure."""


@contextmanager
def executor(cluster: str | None = None, workers: int = 0) -> Iterator[Executor]:
    """The cluster at an address as `tcp://host:8786`, or so many threads here; 0 for all cores."""
    if cluster is None:
        # Threads are enough: the kernel plays without the interpreter.
        with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
            yield pool
        return
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise LabError("a cluster needs Dask: pip install 'sumito[lab]'") from None
    try:
        client = distributed.Client(cluster, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise LabError(f"no cluster answers at {cluster}: {error}") from None
    with client, client.get_executor(retries=TRIES) as pool:
        yield pool


def as_they_come(
    pool: Executor, work: Callable[[Key], Value], keys: Sequence[Key]
) -> Iterator[tuple[Key, Value]]:
    """Each key with what its work gave, in the order of finishing; the rest is cancelled."""
    waiting: dict[Future[Value], Key] = {pool.submit(work, key): key for key in keys}
    try:
        while waiting:
            ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
