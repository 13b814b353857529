"""A copy of the tenant acme that belongs to one test."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from .clock import Clock
from .control import Control, MockError
from .generated.control_types import ClonedTenant
from .faults import Faults
from .journal import Journal
from .named import Named
from .records import Clients, Conversations, Keys, Labels, Sites


@dataclass(frozen=True)
class Partner(Named):
    """Everything that a test needs to use its tenant."""

    url: str
    """The address of the mock, for example `http://127.0.0.1:41234`."""
    name: str
    """The name of the tenant in the mock."""
    api_key: str
    """The secret of the key `full`, which has every scope."""
    keys: Keys
    """Secrets by the name of the key: `partner.keys.only_site_read`."""
    conversations: Conversations
    """Ids by status: `partner.conversations.open`."""
    sites: Sites
    """Ids: `current` has the open conversation, `legacy` is a number, `plain` has no labels."""
    clients: Clients
    """Ids of the primary client of the site of the same name."""
    labels: Labels
    """Ids by name: `partner.labels.vip`."""
    clock: Clock
    """The mock's clock, which all tenants share. If this test changes it, it is reset when the test ends."""
    faults: Faults
    """Faults for requests of this tenant only. They end with the test."""
    journal: Journal
    """The requests with this tenant's keys."""


@contextmanager
def partner_of(control: Control) -> Generator[Partner, None, None]:
    """Creates the copy, and removes it with its keys, faults and exchanges."""
    tenant: ClonedTenant = control.call("POST", "/tenants", {"from": "acme"})
    name, ids = tenant["name"], tenant["ids"]
    secrets = {key: revealed["secret"] for key, revealed in tenant["keys"].items()}
    clock = Clock(control)
    try:
        yield Partner(
            url=control.url,
            name=name,
            api_key=secrets["full"],
            keys=Keys.of(secrets),
            conversations=Conversations.of(ids),
            sites=Sites.of(ids),
            clients=Clients.of(ids),
            labels=Labels.of(ids),
            clock=clock,
            faults=Faults(control, name),
            journal=Journal(control, name),
        )
    finally:
        clock.put_right()
        try:
            control.call("DELETE", f"/tenants/{name}")
        except MockError:
            pass  # A test may have reset the whole mock, which removes every copy.
