"""Where bulk work is done: threads of this machine, or the workers of a Dask cluster.

Both are executors of `concurrent.futures`, so that nobody who hands out work needs to know which.
A job must follow from its arguments alone: a cluster plays it again elsewhere when a worker dies.
A job of the kernel says how it is stopped (`cancellable`), so that Ctrl-C needn't wait for it.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from importlib import import_module
from typing import Final, TypeVar

from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.validate import check_type, check_whole

CONNECT_SECONDS: Final = 10
MOST_WORKERS: Final = 256
Key = TypeVar("Key")
Value = TypeVar("Value")

TRIES: Final = 3
"""How often a job that failed is tried again; one whose worker died is no failure."""


@contextmanager
def executor(cluster: str | None = None, workers: int = 0) -> Iterator[Executor]:
    """The cluster at an address as `tcp://host:8786`, or threads here; 0 workers for all cores."""
    check_whole("workers", workers, 0, MOST_WORKERS, LabError)
    if cluster is not None:
        check_type("cluster", cluster, str)
    if cluster is None:
        pool = LocalPool(workers or os.cpu_count() or 1)
        try:
            yield pool
        finally:
            pool.stop()
        return
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise LabError(N_("a cluster needs Dask: pip install 'sumito[lab]'")) from None
    client, reason = None, ""
    try:
        client = distributed.Client(cluster, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        reason = str(error)
    if client is None:
        # The client that failed closes itself when it is collected. If that happens while another
        # one starts, in whatever thread, both wait for the same lock for ever: so collect it now.
        gc.collect()
        raise LabError(
            N_("no cluster answers at {address}: {reason}"), address=cluster, reason=reason
        )
    with client, client.get_executor(retries=TRIES) as pool:
        yield pool


class LocalPool(ThreadPoolExecutor):
    """Threads of this machine: enough, since the kernel works without the interpreter."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, "sumito-lab", initializer=self._take_thread)
        self._guard = threading.Lock()
        self._stops: dict[object, Callable[[], object]] = {}
        self._is_stopped = False

    def _take_thread(self) -> None:
        _here.pool = self

    def stop(self) -> None:
        """Break off what runs and forget what waits."""
        with self._guard:
            self._is_stopped = True
            stops = list(self._stops.values())
        for stop in stops:
            stop()
        self.shutdown(cancel_futures=True)

    @contextmanager
    def cancellable(self, stop: Callable[[], object]) -> Iterator[None]:
        """Call `stop` if the pool is stopped before the block is left."""
        key = object()
        with self._guard:
            self._stops[key] = stop
            late = self._is_stopped
        if late:
            stop()
        try:
            yield
        finally:
            with self._guard:
                del self._stops[key]


_here = threading.local()


@contextmanager
def cancellable(stop: Callable[[], object]) -> Iterator[None]:
    """While the block runs, stopping this thread's pool calls `stop`, from another thread."""
    pool: LocalPool | None = getattr(_here, "pool", None)
    if pool is None:  # a worker of a cluster, or somebody's own thread
        yield
        return
    with pool.cancellable(stop):
        yield


def map_unordered(
    pool: Executor, work: Callable[[Key], Value], keys: Sequence[Key]
) -> Iterator[tuple[Key, Value]]:
    """Each key with what its work gave, in the order of finishing; the rest is cancelled."""
    waiting: dict[Future[Value], Key] = {pool.submit(work, key): key for key in keys}
    try:
        for future in as_completed(list(waiting)):
            yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
