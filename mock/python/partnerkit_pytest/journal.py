"""The requests of one tenant, and their replies."""

from collections.abc import Sequence
from typing import Unpack
from urllib.parse import urlencode

from .control import Control
from .generated.control_types import Exchange, JournalQuery, Verification


class Journal:
    """A request without a known key belongs to no tenant and is not in this journal."""

    def __init__(self, control: Control, tenant: str) -> None:
        self._control = control
        self._tenant = tenant

    def list(self, limit: int = 1_000) -> list[Exchange]:
        """The newest exchanges, newest last."""
        query = urlencode({"tenant": self._tenant, "limit": limit})
        exchanges: list[Exchange] = self._control.call("GET", f"/journal?{query}")["exchanges"]
        return exchanges

    def count(self, **query: Unpack[JournalQuery]) -> int:
        """How many exchanges match the query."""
        return int(self._control.call("POST", "/journal/count", self._mine(query))["count"])

    def verify(
        self,
        times: int | None = None,
        *,
        at_least: int | None = None,
        at_most: int | None = None,
        **query: Unpack[JournalQuery],
    ) -> None:
        """Fails unless this many exchanges match, and names the nearest ones.

        `verify(1, operationId="listLabels", status=200)`, `verify(at_least=1, status="4xx")`
        """
        wanted = times if times is not None else _given(atLeast=at_least, atMost=at_most) or {"atLeast": 1}
        self._verify({"query": self._mine(query), "times": wanted})

    def verify_sequence(self, queries: Sequence[JournalQuery]) -> None:
        """Fails unless there is a request for each query, in this order. Others may come between them."""
        self._verify({"sequence": [self._mine(query) for query in queries]})

    def verify_gaps(
        self,
        *,
        at_least: int | str | None = None,
        at_most: int | str | None = None,
        **query: Unpack[JournalQuery],
    ) -> None:
        """Fails unless requests are this far apart: `verify_gaps(at_least="2s", operationId="listLabels")`"""
        self._verify({"query": self._mine(query), "gaps": _given(atLeast=at_least, atMost=at_most)})

    def _mine(self, query: JournalQuery) -> JournalQuery:
        return {**query, "tenant": self._tenant}

    def _verify(self, wanted: object) -> None:
        __tracebackhide__ = True
        found: Verification = self._control.call("POST", "/journal/verify", wanted)
        assert found["verified"], found["explanation"]


def _given(**values: int | str | None) -> dict[str, int | str]:
    return {name: value for name, value in values.items() if value is not None}
