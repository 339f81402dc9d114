"""One thread for everything on disk, so that no request waits for another's commit in the server's own thread.

Small writes that come together are committed together: that is what lets two hundred games be played on one disk.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from noughts.store import Store
from noughts.store.schema import store_errors
from noughts.web.delivery import Answer, deliver, tried

__all__ = ["Keeper"]

T = TypeVar("T")
MOST_AT_ONCE = 1000


@dataclass
class _Order:
    work: Callable[[Any], Any]
    is_write: bool
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Keeper:
    """Runs work on the store in its own thread, in the order in which it was given."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._opened: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="noughts-keeper", daemon=True)
        self._thread.start()
        failure = self._opened.get()
        if failure is not None:
            raise failure

    async def do(self, work: Callable[[Store], T]) -> T:
        """Return what the work returns; raises what it raises, or StoreError. What it wrote is on disk."""
        return await self._order(work, is_write=False)

    async def write(self, work: Callable[[sqlite3.Connection], object]) -> None:
        """Return when what the work wrote is on disk; it must not begin or end a transaction. Raises StoreError."""
        await self._order(work, is_write=True)

    async def _order(self, work: Callable[[Any], T], is_write: bool) -> T:
        loop = asyncio.get_running_loop()
        order = _Order(work, is_write, loop, loop.create_future())
        self._orders.put(order)
        result: T = await order.done
        return result

    def close(self) -> None:
        """Finish what was ordered and close the file."""
        self._orders.put(None)
        self._thread.join()

    # In the thread

    def _run(self) -> None:
        try:
            store = Store(self._path)
        except BaseException as error:
            self._opened.put(error)
            return
        self._opened.put(None)
        with store:
            while self._serve(store, self._gather()):
                pass

    def _gather(self) -> list[_Order | None]:
        """Wait for an order, and take those that came with it."""
        orders = [self._orders.get()]
        with suppress(queue.Empty):
            while len(orders) < MOST_AT_ONCE and orders[-1] is not None:
                orders.append(self._orders.get_nowait())
        return orders

    def _serve(self, store: Store, orders: list[_Order | None]) -> bool:
        """Do the orders, runs of writes as one transaction; False when the last one says to end."""
        writes: list[_Order] = []
        for order in orders:
            if order is not None and order.is_write:
                writes.append(order)
                continue
            self._commit(store, writes)
            writes = []
            if order is None:
                return False
            deliver(order.loop, [Answer(order.done, *tried(partial(_do, order.work, store)))])
        self._commit(store, writes)
        return True

    def _commit(self, store: Store, writes: list[_Order]) -> None:
        """Write all together, or, when one of them fails, each by itself."""
        if not writes:
            return
        _, error = tried(lambda: _write(store, [order.work for order in writes]))
        if error is None or len(writes) == 1:
            deliver(writes[0].loop, [Answer(order.done, None, error) for order in writes])
            return
        for order in writes:
            self._commit(store, [order])


def _do(work: Callable[[Store], T], store: Store) -> T:
    with store_errors(store.path):
        return work(store)


def _write(store: Store, works: list[Callable[[sqlite3.Connection], object]]) -> None:
    with store.transaction():
        for work in works:
            work(store.connection)
