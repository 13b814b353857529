"""The clock of the mock, which drives upload URLs and rate limits."""

from datetime import datetime

from .control import Control


class Clock:
    """All tenants share it. If a test changes the clock, it is reset when the test ends."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._moved = False

    def now(self) -> datetime:
        return datetime.fromisoformat(self._control.call("GET", "/clock")["now"])

    def freeze(self, at: datetime | str | None = None) -> None:
        """Stops the clock, now or at an instant (a datetime with its zone, or ISO text)."""
        instant = at.isoformat() if isinstance(at, datetime) else at
        self._move("/clock/freeze", {} if instant is None else {"at": instant})

    def advance(self, by: int | str) -> None:
        """Advances the clock, by milliseconds or text: `advance("5m")` lets upload URLs expire."""
        self._move("/clock/advance", {"by": by})

    def reset(self) -> None:
        """Returns to real time."""
        self._control.call("POST", "/clock/reset", {})
        self._moved = False

    def _move(self, path: str, body: object) -> None:
        self._moved = True
        self._control.call("POST", path, body)

    def put_right(self) -> None:
        if self._moved:
            self.reset()
