"""The container file, the systemd unit and the proxy configuration of the documentation."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner
from websockets import Origin
from websockets.asyncio.client import connect

from noughts.cli.web import command
from noughts.process.sandbox import why_no_sandbox
from noughts.settings import SETTINGS
from noughts.settings.table import DATA, WEB_HOST, WEB_OPEN, WEB_PORT, WEB_PROXY
from noughts.web.limits import Settings
from paths import ROOT
from waiting import wait_until
from web_servers import serving

CONTAINER_FILE = ROOT / "Containerfile"
UNIT = ROOT / "src" / "noughts" / "web" / "noughts.service"
COMPOSE_FILE = ROOT / "packaging" / "compose.yaml"
STEP_SECONDS = 1800
START_SECONDS = 60
SETTINGS_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS}


class Instruction(NamedTuple):
    name: str
    words: str

    @property
    def arguments(self) -> list[str]:
        """The arguments of the JSON form, or the words."""
        if self.words.startswith("["):
            return [str(word) for word in re.findall(r'"([^"]*)"', self.words)]
        return shlex.split(self.words)


def read_stages() -> list[list[Instruction]]:
    """Return the instructions of the container file, by stage."""
    lines = [line for line in CONTAINER_FILE.read_text().splitlines() if line and not line.startswith("#")]
    stages: list[list[Instruction]] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        instruction = Instruction(*re.split(r"\s+", line, maxsplit=1))
        if instruction.name == "FROM":
            stages.append([])
        stages[-1].append(instruction)
    return stages


def one(stage: list[Instruction], name: str) -> Instruction:
    (found,) = [instruction for instruction in stage if instruction.name == name]
    return found


BUILD, FINAL = read_stages()
ENVIRONMENT = dict(word.split("=", 1) for word in one(FINAL, "ENV").arguments)


def find_program(name: str) -> str:
    """Return the path of a program of a package, or of the system; skips the test without it."""
    found = shutil.which(name, path=f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_container_file_passes_its_linter() -> None:
    linted = subprocess.run(
        [find_program("hadolint"), CONTAINER_FILE], capture_output=True, text=True, timeout=60, check=False
    )
    assert (linted.returncode, linted.stdout + linted.stderr) == (0, "")


def test_container_runs_as_an_ordinary_user_without_a_compiler() -> None:
    assert int(one(FINAL, "USER").words) > 0
    commands = [instruction.words for instruction in FINAL if instruction.name == "RUN"]
    assert not [words for words in commands if re.search(r"apt|pip|g\+\+|gcc", words)]
    assert [each.words for each in FINAL if each.name == "COPY"] == ["--from=build /opt/noughts /opt/noughts"]
    assert one(FINAL, "VOLUME").words == ENVIRONMENT[DATA.variable]


def test_container_starts_the_server_and_asks_for_its_health_with_options_that_exist() -> None:
    start = [*one(FINAL, "ENTRYPOINT").arguments, *one(FINAL, "CMD").arguments]
    check = re.sub(r".*CMD ", "", one(FINAL, "HEALTHCHECK").words)
    assert start == ["noughts", "web"]
    for words in (start, Instruction("CMD", check).arguments):
        assert words[:2] == ["noughts", "web"]
        command.make_context("web", words[2:])
    assert one(FINAL, "EXPOSE").words == str(WEB_PORT.default)


def check_settings(environment: dict[str, str]) -> dict[str, Any]:
    """Return the values of the variables, all of which must be settings."""
    chosen = {name: text for name, text in environment.items() if name.startswith("NOUGHTS_")}
    del chosen["NOUGHTS_CONFIG"]
    return {name: SETTINGS_BY_VARIABLE[name].parse(text) for name, text in chosen.items()}


def test_container_is_configured_by_settings_that_exist() -> None:
    values = check_settings(ENVIRONMENT)
    assert (values[WEB_HOST.variable], values[WEB_OPEN.variable]) == ("0.0.0.0", False)


def test_container_is_built_from_all_the_files_that_are_not_ignored() -> None:
    ignored = (ROOT / ".containerignore").read_text().splitlines()
    copied = [each.arguments[:-1] for each in BUILD if each.name == "COPY"]
    sources = {source for each in copied for source in each}
    assert {line.removeprefix("!") for line in ignored if line.startswith("!")} == sources
    assert all((ROOT / source).exists() for source in sources)
    project = (ROOT / "pyproject.toml").read_text()
    needed = {re.search(r'readme = "(.*)"', project), re.search(r'license-files = \["(.*)"\]', project)}
    assert {found[1] for found in needed if found} <= sources
    assert ignored[1:2] == ["*"]
    assert "**/*.so" in ignored, "a core that was built here does not run there"
    assert (ROOT / ".dockerignore").resolve() == ROOT / ".containerignore"


def test_compose_file_runs_the_container_file_with_few_rights() -> None:
    (service,) = yaml.safe_load(COMPOSE_FILE.read_text())["services"].values()
    place = COMPOSE_FILE.parent / service["build"]["context"]
    assert (place / service["build"]["dockerfile"]).resolve() == CONTAINER_FILE
    assert (service["read_only"], service["cap_drop"], service["tmpfs"]) == (True, ["ALL"], ["/tmp"])
    assert service["volumes"] == [f"data:{one(FINAL, 'VOLUME').words}"]
    assert service["ports"] == [f"127.0.0.1:{WEB_PORT.default}:{WEB_PORT.default}"]
    assert check_settings(service["environment"] | {"NOUGHTS_CONFIG": ""})[WEB_PROXY.variable]


# --- systemd ----------------------------------------------------------------------------------------------------------


def unit_environment() -> dict[str, str]:
    lines = re.findall(r"^Environment=(.*)$", UNIT.read_text(), re.MULTILINE)
    return dict(line.split("=", 1) for line in lines)


def test_unit_is_configured_by_settings_that_exist() -> None:
    values = check_settings({name: text.replace("%S", "/var/lib") for name, text in unit_environment().items()})
    assert values[DATA.variable] == Path("/var/lib/noughts")
    assert "StateDirectory=noughts\n" in UNIT.read_text()
    assert not Settings(proxies=values[WEB_PROXY.variable]).is_local


def test_unit_is_valid_and_gives_the_server_few_rights(tmp_path: Path) -> None:
    analyse, unit = find_program("systemd-analyze"), tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/noughts/bin/noughts", "/bin/true"))
    for words in (["verify"], ["security", "--offline=true", "--threshold=20"]):  # 0 is safest, 100 unsafe
        done = subprocess.run([analyse, *words, unit], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""


def test_unit_of_an_installation_starts_its_own_program() -> None:
    done = CliRunner().invoke(command, ["--unit"])
    program = Path(sys.executable).with_name("noughts")
    assert (done.exit_code, done.output) == (0, UNIT.read_text().replace("/opt/noughts/bin/noughts", str(program)))
    assert f"\nExecStart={program} web\n" in done.output


# --- the steps of the container file, run as a script -----------------------------------------------------------------


class Prefix:
    """A folder that stands for the root of the container: paths of the container file begin here."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "bin").mkdir(parents=True)
        (root / "bin" / "python").symlink_to(Path(sys.base_prefix) / "bin" / "python3")

    def place(self, text: str) -> str:
        """Return a text with the paths of the container turned into paths here."""
        return re.sub(r"(?<![\w.*])/(?=(source|wheels|opt|data)\b)", f"{self.root}/", text)

    def build(self) -> None:
        """Do the steps of the first stage; the system's compiler stands for that of the image."""
        folder = Path(self.place(one(BUILD, "WORKDIR").words))
        folder.mkdir()
        for step in BUILD:
            if step.name == "COPY":
                self._copy(step.arguments[:-1], folder, step.arguments[-1])
            elif step.name == "RUN" and not step.words.startswith("apt-get"):
                environment = os.environ | {"PATH": f"{self.root}/bin:{os.environ['PATH']}"}
                environment.pop("PYTHONPATH", None)
                subprocess.run(
                    ["sh", "-c", self.place(step.words)], cwd=folder, env=environment, timeout=STEP_SECONDS, check=True
                )

    def _copy(self, sources: list[str], folder: Path, target: str) -> None:
        for source in sources:
            to = folder / target / (Path(source).name if target == "./" else "")
            to.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
            else:
                shutil.copy(ROOT / source, to)

    def run(self, words: list[str], **environment: str) -> subprocess.Popen[str]:
        """Start a command of the second stage: as another user, who can write the data and nothing else."""
        data = Path(self.place(ENVIRONMENT[DATA.variable]))
        data.mkdir(exist_ok=True)
        chosen = {name: self.place(text).replace(":$PATH", "") for name, text in ENVIRONMENT.items()} | environment
        path = chosen["PATH"]
        assert shutil.which("g++", path=path) is None
        program = [shutil.which(words[0], path=path) or words[0], *words[1:]]
        jail = ["--ro-bind", "/", "/", "--dev", "/dev", "--bind", str(data), str(data), "--unshare-user"]
        user = ["--uid", one(FINAL, "USER").words, "--die-with-parent", "--chdir", "/"]
        confined = program if why_no_sandbox() else [find_program("bwrap"), *jail, *user, *program]
        return subprocess.Popen(confined, env=chosen, stderr=subprocess.PIPE, text=True)


@contextmanager
def running(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    with process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(START_SECONDS)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        return True
    return False


def wait_for(process: subprocess.Popen[str], address: str) -> None:
    def is_healthy() -> bool:
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        with suppress(httpx.HTTPError):
            return httpx.get(f"{address}/healthz", timeout=5).is_success
        return False

    wait_until(is_healthy, START_SECONDS, f"an answer from {address}")


@pytest.mark.slow
def test_steps_of_the_container_file_build_a_server_that_needs_no_compiler_and_writes_only_its_data(
    tmp_path: Path,
) -> None:
    prefix = Prefix(tmp_path / "root")
    prefix.build()
    port = str(free_port())
    address = f"http://127.0.0.1:{port}"
    start = [*one(FINAL, "ENTRYPOINT").arguments, *one(FINAL, "CMD").arguments]
    with running(prefix.run(start, **{WEB_PORT.variable: port})) as server:
        wait_for(server, address)
        played = httpx.post(f"{address}/api/move", json={"game": "3x3", "moves": ["b2"], "level": "insane"}, timeout=60)
        assert played.status_code == 200, played.text
        made = httpx.post(f"{address}/api/friends", json={"game": "qubic"}, timeout=60)
        assert made.status_code == 200, made.text
        check = Instruction("CMD", re.sub(r".*CMD ", "", one(FINAL, "HEALTHCHECK").words)).arguments
        with prefix.run(check, **{WEB_PORT.variable: port}) as asked:
            assert asked.wait(START_SECONDS) == 0
    with prefix.run(check, **{WEB_PORT.variable: port}) as asked:
        assert asked.wait(START_SECONDS) == 1, "a server that has stopped is not healthy"
    assert {path.name for path in (prefix.root / "data").iterdir()} >= {"noughts.sqlite3"}
    assert not [*(prefix.root / "opt").rglob("*.tmp")]


# --- proxies ----------------------------------------------------------------------------------------------------------


PAGE = (ROOT / "docs" / "deploying.md").read_text()
NGINX = "".join(re.findall(r"```nginx\n(.*?)```", PAGE, re.DOTALL))


def test_proxy_configurations_of_the_documentation_pass_on_what_the_server_needs() -> None:
    for header in ("Host $http_host", "X-Forwarded-For $proxy_add_x_forwarded_for", "Upgrade $http_upgrade"):
        assert f"proxy_set_header {header};" in NGINX
    assert f"127.0.0.1:{WEB_PORT.default}" in NGINX
    assert f"reverse_proxy 127.0.0.1:{WEB_PORT.default}" in PAGE


@contextmanager
def nginx(folder: Path, server: str) -> Iterator[str]:
    """Run nginx with the configuration of the documentation, in front of a server; yield its address."""
    program, openssl, port = find_program("nginx"), find_program("openssl"), free_port()
    certificate = ["-keyout", "site.key", "-out", "site.pem", "-subj", "/CN=games.example.org", "-days", "2"]
    words = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *certificate]
    subprocess.run(words, cwd=folder, capture_output=True, timeout=60, check=True)
    site = NGINX.replace("127.0.0.1:8000", server.removeprefix("http://")).replace("443 ssl", f"127.0.0.1:{port} ssl")
    site = site.replace("/etc/ssl/games.example.org", f"{folder}/site")
    head = f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}"
    (folder / "nginx.conf").write_text(f"{head}\nhttp {{\naccess_log off;\n{site}}}\n")
    with running(
        subprocess.Popen([program, "-c", folder / "nginx.conf"], stderr=subprocess.PIPE, text=True)
    ) as process:
        wait_until(lambda: process.poll() is not None or accepts(port), START_SECONDS)
        yield f"https://127.0.0.1:{port}"


@pytest.mark.slow
def test_nginx_as_documented_passes_on_requests_and_websockets_and_nothing_else(tmp_path: Path) -> None:
    name, sent = "games.example.org", {"Host": "games.example.org", "Origin": "https://games.example.org"}

    async def play(address: str, made: dict[str, str]) -> str:
        trusting = ssl.create_default_context(cafile=tmp_path / "site.pem")
        port = int(address.rpartition(":")[2])
        link = f"wss://{name}:{port}/api/friends/{made['friend']}/play"
        async with connect(link, host="127.0.0.1", ssl=trusting, origin=Origin(f"https://{name}:{port}")) as talk:
            await talk.send(json.dumps({"type": "hello", "token": made["token"]}))
            return str(json.loads(await talk.recv())["type"])

    with (
        serving(tmp_path / "store.sqlite3", proxies=("127.0.0.1",), names=(name,)) as server,
        nginx(tmp_path, server) as address,
        httpx.Client(verify=False, headers=sent, base_url=address, timeout=30) as client,
    ):
        assert [client.get(path).status_code for path in ("/", "/api/about", "/healthz", "/metrics")] == [
            200,
            200,
            403,
            404,
        ]
        assert client.get("/api/about", headers={"Origin": "https://evil.example"}).status_code == 403
        made = client.post("/api/friends", json={"game": "3x3"}).json()
        assert asyncio.run(asyncio.wait_for(play(address, made), START_SECONDS)) == "welcome"
