"""Executors for bulk work: threads of this machine, or the workers of a Dask cluster.

Both implement `concurrent.futures.Executor`. A job must be a pure function of its arguments: a
cluster runs it again elsewhere when a worker dies. Jobs of the kernel are made `cancellable`, so
that Ctrl-C needn't wait for them.
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
"""Retries of a failed job; a lost worker does not count as a failure."""


@contextmanager
def executor(cluster: str | None = None, workers: int = 0) -> Iterator[Executor]:
    """Open the cluster at `tcp://host:8786` or alike, or a local pool; 0 workers: all cores."""
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
        # Collect the failed client now: closing it during garbage collection while another
        # one starts, in any thread, would deadlock on a lock they share.
        gc.collect()
        raise LabError(
            N_("no cluster answers at {address}: {reason}"), address=cluster, reason=reason
        )
    with client, client.get_executor(retries=TRIES) as pool:
        yield pool


class LocalPool(ThreadPoolExecutor):
    """Threads of this machine: the kernel releases the interpreter's lock."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, "sumito-lab", initializer=self._take_thread)
        self._guard = threading.Lock()
        self._stops: dict[object, Callable[[], object]] = {}
        self._is_stopped = False

    def _take_thread(self) -> None:
        _here.pool = self

    def stop(self) -> None:
        """Cancel running jobs and drop waiting ones."""
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
    """While the block runs, stopping this thread's pool calls `stop` from another thread."""
    pool: LocalPool | None = getattr(_here, "pool", None)
    if pool is None:  # a cluster worker, or a thread outside a pool
        yield
        return
    with pool.cancellable(stop):
        yield


def map_unordered(
    pool: Executor, work: Callable[[Key], Value], keys: Sequence[Key]
) -> Iterator[tuple[Key, Value]]:
    """Yield each key with its result, in order of completion; cancel the rest on exit."""
    waiting: dict[Future[Value], Key] = {pool.submit(work, key): key for key in keys}
    try:
        for future in as_completed(list(waiting)):
            yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
