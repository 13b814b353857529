"""Faults that are injected into the requests of one tenant."""

from typing import Unpack

from .control import Control
from .generated.control_types import Fault, FaultSpec


class Faults:
    """They end with the test."""

    def __init__(self, control: Control, tenant: str) -> None:
        self._control = control
        self._tenant = tenant

    def add(self, **spec: Unpack[FaultSpec]) -> Fault:
        """`add(operationId="listLabels", reply={"status": 503}, times=1)`"""
        fault: Fault = self._control.call("POST", "/faults", {**spec, "tenant": self._tenant})
        return fault

    def list(self) -> list[Fault]:
        """All faults of this test, each with the number of requests it has affected."""
        faults: list[Fault] = self._control.call("GET", "/faults")["faults"]
        return [fault for fault in faults if fault["spec"].get("tenant") == self._tenant]

    def verify_used(self) -> None:
        """Fails if a fault of this test has affected no request."""
        unused = [fault["spec"] for fault in self.list() if fault["hits"] == 0]
        assert not unused, f"faults that affected no request: {unused}"
