"""The records of the tenant acme in the mock, by name: those of mock/store/acme-records.ts, in its order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from .named import Named


@dataclass(frozen=True)
class Conversations(Named):
    open: str
    closed: str
    in_progress: str
    pending: str
    scheduled: str
    resolved: str
    on_hold: str
    new: str
    bare: str

    @classmethod
    def of(cls, ids: Mapping[str, str]) -> Self:
        return cls(
            open=ids["c0000001-0000-4000-8000-000000000001"],
            closed=ids["c0000002-0000-4000-8000-000000000002"],
            in_progress=ids["c0000003-0000-4000-8000-000000000003"],
            pending=ids["c0000004-0000-4000-8000-000000000004"],
            scheduled=ids["c0000005-0000-4000-8000-000000000005"],
            resolved=ids["c0000006-0000-4000-8000-000000000006"],
            on_hold=ids["c0000007-0000-4000-8000-000000000007"],
            new=ids["c0000008-0000-4000-8000-000000000008"],
            bare=ids["c0000010-0000-4000-8000-000000000010"],
        )


@dataclass(frozen=True)
class Sites(Named):
    current: str
    business: str
    legacy: str
    plain: str
    bare: str

    @classmethod
    def of(cls, ids: Mapping[str, str]) -> Self:
        return cls(
            current=ids["ovaid-517e0001-0000-4000-8000-000000000001"],
            business=ids["ovaid-517e0002-0000-4000-8000-000000000002"],
            legacy=ids["10042"],
            plain=ids["ovaid-517e0004-0000-4000-8000-000000000004"],
            bare=ids["7"],
        )


@dataclass(frozen=True)
class Clients(Named):
    current: str
    business: str
    legacy: str
    plain: str

    @classmethod
    def of(cls, ids: Mapping[str, str]) -> Self:
        return cls(
            current=ids["ovcid-c11e0001-0000-4000-8000-000000000001"],
            business=ids["ovcid-c11e0002-0000-4000-8000-000000000002"],
            legacy=ids["ovcid-c11e0003-0000-4000-8000-000000000003"],
            plain=ids["ovcid-c11e0004-0000-4000-8000-000000000004"],
        )


@dataclass(frozen=True)
class Labels(Named):
    vip: str
    after_hours: str
    warranty: str
    estimate_sent: str
    parts_on_order: str
    maintenance_plan: str
    gate_code_needed: str
    spare: str
    second_spare: str
    internal_risk: str
    payment_watchlist: str
    churn_suspect: str

    @classmethod
    def of(cls, ids: Mapping[str, str]) -> Self:
        return cls(
            vip=ids["1abe1001-0000-4000-8000-000000000001"],
            after_hours=ids["1abe1002-0000-4000-8000-000000000002"],
            warranty=ids["1abe1003-0000-4000-8000-000000000003"],
            estimate_sent=ids["1abe1004-0000-4000-8000-000000000004"],
            parts_on_order=ids["1abe1005-0000-4000-8000-000000000005"],
            maintenance_plan=ids["1abe1006-0000-4000-8000-000000000006"],
            gate_code_needed=ids["1abe1007-0000-4000-8000-000000000007"],
            spare=ids["1abe1008-0000-4000-8000-000000000008"],
            second_spare=ids["1abe1009-0000-4000-8000-000000000009"],
            internal_risk=ids["1abe9001-0000-4000-8000-000000000901"],
            payment_watchlist=ids["1abe9002-0000-4000-8000-000000000902"],
            churn_suspect=ids["1abe9003-0000-4000-8000-000000000903"],
        )


@dataclass(frozen=True)
class Keys(Named):
    full: str
    none: str
    revoked: str
    limits: str
    only_conversation_read: str
    only_conversation_write: str
    only_client_read: str
    only_client_write: str
    only_site_read: str
    only_site_write: str
    only_site_file_write: str
    only_user_read: str
    links: str

    @classmethod
    def of(cls, secrets: Mapping[str, str]) -> Self:
        return cls(
            full=secrets["full"],
            none=secrets["none"],
            revoked=secrets["revoked"],
            limits=secrets["limits"],
            only_conversation_read=secrets["only-conversation-read"],
            only_conversation_write=secrets["only-conversation-write"],
            only_client_read=secrets["only-client-read"],
            only_client_write=secrets["only-client-write"],
            only_site_read=secrets["only-site-read"],
            only_site_write=secrets["only-site-write"],
            only_site_file_write=secrets["only-site-file-write"],
            only_user_read=secrets["only-user-read"],
            links=secrets["links"],
        )
