"""Starts a mock, or uses a running one."""

import json
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Timer

from .control import Control

IMAGE = "ghcr.io/partnerkit/partnerkit"

STOP_SECONDS = 5
"""How long a command may take to end before it is killed."""

HELP = (
    "an address (http://127.0.0.1:4010), a command (npx partnerkit), or container[:IMAGE]; "
    "default: what there is of partnerkit, npx and docker"
)


@contextmanager
def running(where: str | None) -> Generator[Control, None, None]:
    """The mock at an address, or one that is started as a command or a container and ends with the block."""
    where = where or _what_there_is()
    token = os.environ.get("PARTNERKIT_CONTROL_TOKEN")
    if where.startswith(("http://", "https://")):
        yield Control(where.rstrip("/"), token)
    elif where == "container" or where.startswith("container:"):
        port, token = _free_port(), secrets.token_urlsafe(16)
        url = f"http://127.0.0.1:{port}"
        docker = ["docker", "run", "--rm", "--env", "PARTNERKIT_CONTROL_TOKEN", "--publish", f"127.0.0.1:{port}:4010"]
        mock = ["mock", "--host", "0.0.0.0", "--public-url", url, "--json"]
        image = where.partition(":")[2] or IMAGE
        with _started([*docker, image, *mock], {"PARTNERKIT_CONTROL_TOKEN": token}):
            yield Control(url, token)
    else:
        with _started([*shlex.split(where), "mock", "--port", "0", "--json"], {}) as listening:
            yield Control(listening["url"], token)


def _what_there_is() -> str:
    if shutil.which("partnerkit"):
        return "partnerkit"
    if shutil.which("npx"):
        # Only what this folder has installed: nothing is fetched by its name.
        return "npx --no-install partnerkit"
    if shutil.which("docker"):
        return "container"
    raise RuntimeError(f"no mock: there is no partnerkit, npx or docker on the PATH. Give --partnerkit {HELP}")


@contextmanager
def _started(command: list[str], environment: dict[str, str]) -> Generator[dict[str, str], None, None]:
    """Runs the command until the block ends. The block gets the command's first line, which says that it listens."""
    env = {**os.environ, **environment}
    # A session of its own, because npx ends without ending what it has started.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line.startswith("{"):
                hint = " (is partnerkit installed in this folder? else give --partnerkit)" if line == "" else ""
                raise RuntimeError(f"{shlex.join(command)} did not start a mock; it printed: {line or 'nothing'}{hint}")
            yield json.loads(line)
        finally:
            # Not `wait(timeout)`, which reads a clock that tests may have stopped.
            last_resort = Timer(STOP_SECONDS, _end, [process, True])
            last_resort.start()
            _end(process)
            process.wait()
            last_resort.cancel()


def _end(process: subprocess.Popen[str], at_once: bool = False) -> None:
    """Ends a command and all that it has started."""
    if sys.platform == "win32":
        process.terminate()
    else:
        # It may have ended by itself.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL if at_once else signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
