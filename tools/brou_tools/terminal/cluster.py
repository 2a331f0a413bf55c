"""Work shared by the processes of this machine, or by those of a Dask cluster: the same parts, the same results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from brou import BrouError
from brou_tools.terminal.workers import work

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")
#: Whoever shares out work on parts: it yields each part with its result as soon as that is there.
Sharing: TypeAlias = "Callable[[Callable[[_Part], _Result], Iterable[_Part]], Generator[tuple[_Part, _Result]]]"

#: So many parts are handed out for each thread of the cluster, so that none has to wait for the next.
_AHEAD = 3
#: How long a scheduler may take to answer, and workers to come, in seconds.
_ANSWER, _WORKERS = 10, 60


class NoCluster(BrouError):
    """A cluster that cannot be reached, has no workers, or for which the library is missing."""


#: Whoever does all the work alone.
work_alone = partial(work, 1)


def open_sharing(jobs: int, scheduler: str | None) -> Any:  # noqa: ANN401 - a `Sharing` of whatever parts and results
    """Return who shares work out: so many processes, or the cluster of a scheduler."""
    return partial(work, jobs) if scheduler is None else partial(work_on, scheduler)


def work_on(scheduler: str, do: Callable[[_Part], _Result], parts: Iterable[_Part]) -> Generator[tuple[_Part, _Result]]:
    """Yield each part of some work with its result, as soon as a cluster has done it.

    What a worker had when it was lost is given to another one. Raise `NoCluster` where there is none, and whatever
    error a part ends with.
    """
    try:
        import distributed  # noqa: PLC0415 - heavy, and an extra
    except ImportError as error:
        raise NoCluster("a cluster needs dask.distributed: install brou[cluster] here and on its machines") from error
    try:
        client = distributed.Client(scheduler, timeout=_ANSWER, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise NoCluster(f"{scheduler}: no Dask scheduler answers ({error}); start one with `dask scheduler`") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKERS)
        except TimeoutError as error:
            raise NoCluster(f"{scheduler}: no worker has come; start one with `dask worker {scheduler}`") from error
        threads = max(1, sum(client.nthreads().values()))
        coming = iter(parts)
        waiting = {client.submit(do, part, pure=False): part for part in islice(coming, _AHEAD * threads)}
        done = distributed.as_completed(list(waiting), loop=client.loop)
        for one in done:
            part, result = waiting.pop(one), one.result()
            for more in islice(coming, 1):
                future = client.submit(do, more, pure=False)
                waiting[future] = more
                done.add(future)
            yield part, result
