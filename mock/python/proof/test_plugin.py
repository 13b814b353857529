"""How the plugin finds a mock, and that tests do not meet."""

import os
import shlex
import stat
import time
from pathlib import Path

import pytest
from partnerkit_pytest import Control
from partnerkit_pytest.start import running

PAIR = """
    names = []

    def test_one(partner):
        names.append(partner.name)
        partner.clock.freeze("2030-01-01T00:00:00Z")
        assert partner.clock.now().year == 2030

    def test_another(partner):
        assert partner.name not in names
        assert partner.clock.now().year < 2030
        assert partner.journal.list() == []

    def test_mock(partnerkit_mock):
        assert [t["name"] for t in partnerkit_mock.call("GET", "/tenants")["tenants"]] == ["acme", "globex", "initech"]
"""


def program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IEXEC)


@pytest.fixture
def command(pytestconfig: pytest.Config) -> str:
    """The command that these tests are run with, whole paths and all."""
    return pytestconfig.getoption("partnerkit") or os.environ["PARTNERKIT"]


def test_a_command_starts_a_mock_for_the_session(pytester: pytest.Pytester, command: str) -> None:
    pytester.makepyfile(PAIR)
    pytester.runpytest_subprocess("--partnerkit", command).assert_outcomes(passed=3)


def test_a_command_that_does_not_end_is_killed_even_when_time_stands_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("partnerkit_pytest.start.STOP_SECONDS", 0.1)
    monkeypatch.setattr("subprocess._time", lambda: 0.0)
    program(tmp_path, "stubborn", """trap '' TERM; echo '{"url":"http://127.0.0.1:1"}'; exec sleep 300""")
    with running(str(tmp_path / "stubborn")) as control:
        assert control.url == "http://127.0.0.1:1"


def test_what_a_command_has_started_ends_with_it(tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    # Like npx, which does not pass a signal on.
    program(tmp_path, "wrapper", f"""(trap 'echo yes > {ended}; exit' TERM
echo '{{"url":"http://127.0.0.1:1"}}'; while :; do sleep 0.05; done) & wait""")
    with running(str(tmp_path / "wrapper")):
        assert not ended.exists()
    until = time.monotonic() + 10
    while not ended.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert ended.read_text() == "yes\n"


def test_a_mock_that_runs_is_used(
    pytester: pytest.Pytester, partnerkit_mock: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PARTNERKIT", raising=False)
    pytester.makepyfile(f"def test_url(partner): assert partner.url == {partnerkit_mock.url!r}")
    pytester.makeini(f"[pytest]\npartnerkit = {partnerkit_mock.url}/")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH on which there is only what the test puts there."""
    monkeypatch.delenv("PARTNERKIT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_a_word_it_takes_what_there_is(pytester: pytest.Pytester, command: str, path: Path) -> None:
    program(path, "partnerkit", f'exec {command} "$@"')
    pytester.makepyfile(PAIR)
    pytester.runpytest_subprocess().assert_outcomes(passed=3)


def test_a_container_gets_a_port_and_a_token(pytester: pytest.Pytester, command: str, path: Path) -> None:
    # `docker run --rm --env NAME --publish ADDRESS:PORT:4010 IMAGE mock --host 0.0.0.0 ...`, carried out without an engine.
    program(
        path,
        "docker",
        f"""[ "$1 $2 $3 $4 $5" = "run --rm --env PARTNERKIT_CONTROL_TOKEN --publish" ] || exit 1
published=${{6%:4010}} image=$7; shift 8
[ "$image" = registry.example/partnerkit:1 ] || exit 1
exec {command} mock "$@" --port "${{published##*:}}\"""",
    )
    pytester.makepyfile(PAIR)
    pytester.runpytest_subprocess("--partnerkit", "container:registry.example/partnerkit:1").assert_outcomes(passed=3)


def test_it_says_what_to_install_where_there_is_nothing(pytester: pytest.Pytester, path: Path) -> None:
    pytester.makepyfile("def test_it(partner): pass")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no partnerkit, npx or docker on the PATH*"])


def test_it_says_what_a_command_printed_in_place_of_a_mock(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(partner): pass")
    result = pytester.runpytest_subprocess("--partnerkit", "echo no mock")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{shlex.join(['echo', 'no', 'mock'])}*did not start a mock*"])
