"""Lookups that take long, such as those of the doctor: on another thread, and given up when the server ends."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException

from seance.web.latest import LatestState

_Found = TypeVar("_Found")


async def look_up(lookup: Callable[[], _Found], latest: LatestState) -> _Found:
    """Return what *lookup* finds, or raise 503 once *latest* is closed, when nobody is connected any more."""
    looking = asyncio.ensure_future(run_sync(lookup, abandon_on_cancel=True))
    closing = asyncio.ensure_future(latest.wait_until_closed())
    try:
        await asyncio.wait((looking, closing), return_when=asyncio.FIRST_COMPLETED)
        if not looking.done():
            raise HTTPException(503)
        return looking.result()
    finally:
        looking.cancel()
        closing.cancel()
