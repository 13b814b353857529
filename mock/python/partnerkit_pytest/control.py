"""The control API of a mock, over HTTP with the standard library only."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener


class _NoRedirects(HTTPRedirectHandler):
    """Only the mock itself may get the request and its token."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


# A mock on this machine is not behind the proxy that the environment may name.
_opener = build_opener(ProxyHandler({}), _NoRedirects)

_LONGEST_CALL = 30


class MockError(Exception):
    """An error reply of the control API, with its message."""


@dataclass(frozen=True)
class Control:
    """The control API of the mock at `url`. Every method of `partner` is one call of it."""

    url: str
    token: str | None = None

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Calls a route below `/_mock`. Raises MockError for an error reply."""
        headers = {"content-type": "application/json"}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.url}/_mock{path}", data, headers, method=method)
        try:
            with _opener.open(request, timeout=_LONGEST_CALL) as reply:
                text = reply.read()
        except HTTPError as error:
            to = error.headers.get("location")
            problem = f"{error.code} leads to {to}, which is not followed" if to else _message(error.read())
            raise MockError(f"{method} {path}: {problem}") from None
        return json.loads(text) if text else None


def _message(text: bytes) -> str:
    try:
        return str(json.loads(text)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return text.decode(errors="replace")
