"""A handle on a running search: iterate its reports, stop it, wait for its result.

A search runs in its own thread, so that Ctrl-C and event loops keep working. The thread refers to
its `Search`, never to the handle, so that a handle that is garbage-collected stops its search.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self
from weakref import WeakSet

from sumito.engine.score import Variation

Variations = tuple[Variation, ...]
"""The best moves so far, best first."""


class Search:
    """The state of a search, shared with its thread: the reports and the request to stop.

    `work` runs the search and returns the final variations; `halt` makes `work` return soon and
    may be called from any thread at any time.
    """

    def __init__(self, work: Callable[[Search], Variations], halt: Callable[[], None]) -> None:
        self._work: Callable[[Search], Variations] | None = work
        self._halt = halt
        self._changed = threading.Condition()
        self._reports: deque[Variations] = deque()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._found: Variations = ()
        self._error: BaseException | None = None
        self.is_done = False
        self.is_stopped = False
        """Whether a stop was requested; the search may still be running."""
        self._thread = threading.Thread(target=self._run, name="sumito-search", daemon=True)

    def start(self) -> None:
        _running.add(self)
        self._thread.start()

    def report(self, lines: Variations) -> None:
        """Publish the best moves so far to the followers of the search."""
        with self._changed:
            self._reports.append(lines)
            self._wake()

    def stop(self) -> None:
        """Request the end of the search; its result is the best so far."""
        self.is_stopped = True
        if not self.is_done:
            self._halt()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _run(self) -> None:
        found: Variations = ()
        error: BaseException | None = None
        # drop the closure: it may refer to the previous search, which would form a chain
        work, self._work = self._work, None
        assert work is not None
        try:
            found = work(self)
        except BaseException as caught:
            error = caught
        with self._changed:
            self._found, self._error, self.is_done = found, error, True
            self._wake()

    def _wake(self) -> None:
        self._changed.notify_all()
        waiting, self._waiting = self._waiting, []
        for loop, future in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, future)

    def next(self) -> Variations | None:
        """Wait for the next report; return `None` when there are no more."""
        with self._changed:
            self._changed.wait_for(self._has_news)
            return self._take()

    async def next_async(self) -> Variations | None:
        """Like `next`, for an event loop."""
        await self._until(self._has_news)
        with self._changed:
            return self._take()

    def result(self) -> Variations:
        """Wait for the end; return the final variations."""
        with self._changed:
            self._changed.wait_for(self._is_over)
        return self._outcome()

    async def result_async(self) -> Variations:
        """Like `result`, for an event loop."""
        await self._until(self._is_over)
        return self._outcome()

    def _has_news(self) -> bool:
        return bool(self._reports) or self.is_done

    def _is_over(self) -> bool:
        return self.is_done

    async def _until(self, ready: Callable[[], bool]) -> None:
        loop = asyncio.get_running_loop()
        while True:
            with self._changed:
                if ready():
                    return
                news: asyncio.Future[None] = loop.create_future()
                self._waiting.append((loop, news))
            await news

    def _take(self) -> Variations | None:
        if self._reports:
            return self._reports.popleft()
        if self._error is not None:
            raise self._error
        return None

    def _outcome(self) -> Variations:
        if self._error is not None:
            raise self._error
        return self._found


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


_running: WeakSet[Search] = WeakSet()


@atexit.register
def _stop_all() -> None:
    """Stop all searches at exit, since their threads would use a finalized interpreter."""
    for search in list(_running):
        search.stop()
    for search in list(_running):
        search.join()


class Analysis:
    """A running search. `for` and `async for` yield the variations found at each depth.

    >>> from sumito import Board, Engine, Limit
    >>> with Engine() as engine, engine.analysis(Board(), Limit(depth=3)) as analysis:
    ...     depths = [lines[0].depth for lines in analysis]
    >>> depths
    [1, 2, 3]

    As a context manager, `with` or `async with`, it stops the search when the block is left. A
    loop over an analysis without other references stops the search when the loop is left.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    @property
    def is_done(self) -> bool:
        return self._search.is_done

    def stop(self) -> None:
        """Stop the search; its result is the best so far."""
        self._search.stop()

    def wait(self) -> Variations:
        """Wait for the end of the search; return the final variations."""
        return self._search.result()

    async def wait_async(self) -> Variations:
        """Like `wait`, for an event loop; cancelling the task stops the search."""
        try:
            return await self._search.result_async()
        except asyncio.CancelledError:
            self._search.stop()
            raise

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Variations:
        lines = self._search.next()
        if lines is None:
            raise StopIteration
        return lines

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Variations:
        try:
            lines = await self._search.next_async()
        except asyncio.CancelledError:
            self._search.stop()
            raise
        if lines is None:
            raise StopAsyncIteration
        return lines

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._search.stop()
        self._search.join()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Without waiting: the engine's next search waits until this one has ended.
        self._search.stop()

    def __del__(self) -> None:
        self._search.stop()
