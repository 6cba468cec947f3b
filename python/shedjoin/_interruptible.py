"""Calls that Ctrl-C ends within a second, whatever they wait for."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial, wraps
from queue import SimpleQueue
from types import FrameType
from typing import ParamSpec, TypeVar, cast

_GRACE_SECONDS = 0.3
_PATIENCE_SECONDS = 0.6

P = ParamSpec("P")
T = TypeVar("T")


def interruptible(call: Callable[P, T]) -> Callable[P, T]:
    """Runs a function in a thread of its own, while the main thread, to which Ctrl-C comes, waits for it.

    A call of py4j waits for its answer however long that takes, and numpy sorts to the end. What is given up goes on
    to its next `go_on`, and its result is lost. Called in another thread it is the function as it is.
    """

    @wraps(call)
    def waited(*args: P.args, **kwargs: P.kwargs) -> T:
        go_on()
        if threading.current_thread() is not threading.main_thread():
            return call(*args, **kwargs)
        return cast(T, _done(_Work(partial(call, *args, **kwargs))))

    return waited


def ends_first(call: Callable[P, T]) -> Callable[P, T]:
    """Lets a function of short calls to Spark's JVM end before Ctrl-C raises, unless that takes most of a second.

    Spark's own handler of Ctrl-C calls the JVM, which breaks a call of py4j that it comes into.
    """

    @wraps(call)
    def ended(*args: P.args, **kwargs: P.kwargs) -> T:
        if threading.current_thread() is not threading.main_thread():
            return call(*args, **kwargs)
        again = threading.Timer(_PATIENCE_SECONDS, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
        again.daemon = True
        try:
            with _ctrl_c_put_off(again.start):
                return call(*args, **kwargs)
        finally:
            again.cancel()

    return ended


def go_on() -> None:
    """Raises where nobody waits any longer for what this thread does."""
    pause(0)


def pause(seconds: float) -> None:
    """Sleeps, and raises as `go_on` does."""
    work = threading.current_thread()
    if not isinstance(work, _Work):
        time.sleep(seconds)
    elif work.stopped.wait(seconds):
        raise KeyboardInterrupt


class _Work(threading.Thread):
    """A call, and what came of it."""

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__(name="shedjoin", daemon=True)
        self.stopped = threading.Event()
        self.is_over = False
        self.news: SimpleQueue[None] = SimpleQueue()
        """Wakes who waits: the call is over, or Ctrl-C came. A handler may put into such a queue at any moment."""
        self.result: object = None
        self.failure: BaseException | None = None
        self._call = call
        self._context = copy_context()

    def run(self) -> None:
        try:
            self.result = self._context.run(self._call)
        except BaseException as failed:
            self.failure = failed
        finally:
            self.is_over = True
            self.news.put(None)


def _done(work: _Work) -> object:
    with _ctrl_c_put_off(lambda: work.news.put(None)) as let_through:
        work.start()
        try:
            while not work.is_over:
                work.news.get()
                let_through()
        except BaseException:
            work.stopped.set()
            work.join(_GRACE_SECONDS)
            raise
    if work.failure is not None:
        raise work.failure
    return work.result


@contextmanager
def _ctrl_c_put_off(on_first: Callable[[], None]) -> Iterator[Callable[[], None]]:
    """Puts Ctrl-C off until what it gives is called, or to the end, and says so; another one comes through at once.

    What Ctrl-C raises where an object is freed is lost, as Python calls nobody there who could take it.
    """
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual):
        yield lambda: None
        return
    came: list[FrameType | None] = []

    def put_off(number: int, frame: FrameType | None) -> None:
        if came:
            usual(number, frame)
        else:
            came.append(frame)
            on_first()

    def let_through() -> None:
        if came:
            usual(signal.SIGINT, came.pop())

    signal.signal(signal.SIGINT, put_off)
    try:
        yield let_through
    finally:
        # Unless what was let through has set another one.
        if signal.getsignal(signal.SIGINT) is put_off:
            signal.signal(signal.SIGINT, usual)
        let_through()
