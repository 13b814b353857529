"""The partnerkit mock for pytest: `def test_labels(partner): ...`. See README.md."""

from .clock import Clock
from .control import Control, MockError
from .faults import Faults
from .journal import Journal
from .partner import Partner

__all__ = ["Clock", "Control", "Faults", "Journal", "MockError", "Partner"]
