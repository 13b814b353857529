"""The fixtures `partner` and `partnerkit_mock`."""

import os
from collections.abc import Iterator

import pytest

from .control import Control
from .partner import Partner, partner_of
from .start import HELP, running


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("partnerkit").addoption("--partnerkit", metavar="WHERE", help=f"the mock: {HELP}")
    parser.addini("partnerkit", f"the mock: {HELP}", default=None)


@pytest.fixture(scope="session")
def partnerkit_mock(pytestconfig: pytest.Config) -> Iterator[Control]:
    """One mock for all tests of this process: from `--partnerkit`, PARTNERKIT or `partnerkit` in the ini file."""
    where = pytestconfig.getoption("partnerkit") or os.environ.get("PARTNERKIT") or pytestconfig.getini("partnerkit")
    with running(where) as control:
        yield control


@pytest.fixture
def partner(partnerkit_mock: Control) -> Iterator[Partner]:
    """A tenant for this test only, with keys, records, faults and a journal of its own."""
    with partner_of(partnerkit_mock) as tenant:
        yield tenant
