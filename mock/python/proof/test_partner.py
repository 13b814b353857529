"""The plugin as a test suite uses it. Which mock: --partnerkit or PARTNERKIT, as for every user."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from partnerkit_pytest import Control, MockError, Partner


def ask(partner: Partner, path: str, method: str = "GET", body: object = None, key: str | None = None) -> tuple[int, Any]:
    headers = {"x-api-key": key or partner.api_key, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(partner.url + path, data, headers, method=method)) as reply:
            return reply.status, json.load(reply)
    except HTTPError as error:
        return error.code, json.load(error)


def test_every_name_leads_to_a_record(partner: Partner) -> None:
    for conversation in vars(partner.conversations).values():
        assert ask(partner, f"/v1/conversation/{conversation}")[0] == 200
    for site in vars(partner.sites).values():
        assert ask(partner, f"/v1/site/{site}")[0] == 200
    for client in vars(partner.clients).values():
        assert ask(partner, f"/v1/client/{client}")[0] == 200
    labels = {label["id"] for label in ask(partner, "/v1/labels")[1]["labels"]}
    assert partner.labels.vip in labels
    assert partner.labels.internal_risk not in labels


def test_a_key_without_the_scope_is_refused(partner: Partner) -> None:
    path = f"/v1/conversation/{partner.conversations.open}"
    assert ask(partner, path, key=partner.keys.only_site_read)[0] == 403
    partner.journal.verify(1, operationId="getConversation", status=403, key="only-site-read")


def test_a_label_is_put_on_once(partner: Partner) -> None:
    path = f"/v1/conversation/{partner.conversations.open}/label/{partner.labels.spare}"
    assert [ask(partner, path, "PUT")[0] for _ in range(2)] == [200, 200]
    assert partner.journal.count(operationId="applyConversationLabel") == 2
    assert [exchange["reply"]["status"] for exchange in partner.journal.list()] == [200, 200]


def test_a_fault_strikes_this_tenant_once(partner: Partner) -> None:
    partner.faults.add(operationId="listLabels", reply={"status": 503}, times=1)
    with pytest.raises(AssertionError, match="affected no request"):
        partner.faults.verify_used()
    assert [ask(partner, "/v1/labels")[0] for _ in range(2)] == [503, 200]
    partner.faults.verify_used()
    partner.journal.verify_sequence([{"status": 503}, {"status": 200}])


def test_an_upload_url_expires_when_the_test_says_so(partner: Partner) -> None:
    path = f"/v1/site/{partner.sites.current}/file/upload-url"
    _, target = ask(partner, path, "POST", {"contentType": "text/plain"})
    partner.clock.freeze()
    before = partner.clock.now()
    partner.clock.advance("5m")
    partner.clock.advance(1)
    assert (partner.clock.now() - before).total_seconds() == 300.001
    with pytest.raises(HTTPError, match="403"):
        urlopen(Request(target["uploadUrl"], b"late", {"content-type": "text/plain"}, method="PUT"))


def test_the_journal_says_what_came_nearest(partner: Partner) -> None:
    ask(partner, "/v1/labels")
    with pytest.raises(AssertionError, match="status is 200, not 429"):
        partner.journal.verify(at_least=1, operationId="listLabels", status=429)
    with pytest.raises(AssertionError):
        partner.journal.verify(at_most=0, operationId="listLabels")


def test_gaps_are_measured_by_the_clock_of_the_mock(partner: Partner) -> None:
    partner.clock.freeze()
    ask(partner, "/v1/labels")
    partner.clock.advance("2s")
    ask(partner, "/v1/labels")
    partner.journal.verify_gaps(at_least="2s", operationId="listLabels")
    with pytest.raises(AssertionError):
        partner.journal.verify_gaps(at_least="3s", operationId="listLabels")


def test_a_mistake_is_told_in_the_words_of_the_mock(partner: Partner) -> None:
    with pytest.raises(MockError, match="listLabels"):
        partner.faults.add(operationId="listLabel", reply={"status": 503})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "name", "there_are"),
    [
        ("conversations", "opened", "conversations has no opened; it has open, closed, in_progress,"),
        ("sites", "legasy", "sites has no legasy; it has current, business, legacy, plain, bare"),
        ("labels", "vipp", "labels has no vipp; it has vip,"),
        ("keys", "only_read", "keys has no only_read; it has full, none,"),
    ],
)
def test_an_unknown_name_is_answered_with_those_there_are(partner: Partner, kind: str, name: str, there_are: str) -> None:
    with pytest.raises(AttributeError, match=there_are):
        getattr(getattr(partner, kind), name)
    with pytest.raises(AttributeError, match="partner has no site; it has url, name, api_key,"):
        getattr(partner, "site")


class _Redirect(BaseHTTPRequestHandler):
    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(302)
        self.send_header("location", "/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def redirecting() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Redirect)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_a_redirect_is_not_followed(redirecting: str) -> None:
    with pytest.raises(MockError, match="302 leads to /elsewhere, which is not followed"):
        Control(redirecting, "a-token").call("GET", "/health")
    assert _Redirect.asked == ["/_mock/health"]
