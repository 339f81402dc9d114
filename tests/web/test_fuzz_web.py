"""Hostile questions to the web interface, and hostile files in place of the store: a refusal in one line each."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from fastapi import FastAPI

import noughts as no
from fuzzing import check_message, fuzz, mutate_bytes, mutate_data, mutate_text
from noughts.store import Store, StoreError
from noughts.web.app import make_app
from noughts.web.limits import LOCAL_LIMITS, Rate, Settings

LAVISH = replace(
    LOCAL_LIMITS,
    requests=Rate(1e9, 1e6),
    friend_games=Rate(1e9, 1e6),
    saved_games=Rate(1e9, 1e6),
    engine_seconds=Rate(1e9, 1e6),
)
POSITION: dict[str, Any] = {"game": "3x3", "start": None, "moves": ["b2", 0]}
FANO = no.Game.from_lines("fano", cells=7, lines=[[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)]).to_data()
BRIEF_SECONDS = 0.01

QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "game": [{"game": "4x4x4"}, {"game": FANO}],
    "position": [POSITION, {"game": "connect4", "moves": ["d", "d"]}, {"game": FANO, "start": "7 x", "moves": [0]}],
    "setup": [{"game": "3x3", "marks": "X...O....", "block_to_play": None}],
    "move": [POSITION | {"level": "easy", "seconds": BRIEF_SECONDS}],
    "hint": [POSITION | {"move": "b3", "seconds": BRIEF_SECONDS}],
    "judge": [POSITION | {"move": "b3", "seconds": BRIEF_SECONDS}],
    "analyse": [POSITION | {"lines": 2, "every": False, "seconds": BRIEF_SECONDS}],
    "review": [POSITION | {"seconds": BRIEF_SECONDS, "tags": {"X": "Ann"}}],
    "solve": [POSITION | {"seconds": BRIEF_SECONDS}],
    "trace": [POSITION | {"algorithm": "alphabeta", "depth": 2, "nodes": 50}],
    "compare": [POSITION | {"depth": 1, "evaluate": "outcome", "seconds": BRIEF_SECONDS}],
    "learn": [{"game": "3x3", "algorithm": "q_learning", "playthroughs": 5, "exploration": 0.3, "seed": 1}],
    "import": [{"text": '[Game "3x3"]\n\n1. b2 *\n', "format": "ngn"}, {"text": "(;GM[4]FF[4]SZ[3];B[aa])"}],
    "export": [
        POSITION | {"tags": {"X": "Ann"}, "result": {"reason": "resign", "winner": "X"}, "comments": {"1": "hm"}}
    ],
    "games": [POSITION | {"x": "you", "o": "easy", "result": None}],
    "friends": [POSITION | {"side": "X", "name": "Ann", "time_control": "5+3"}],
    "qr": [{"text": "http://127.0.0.1/#friend=k3v9"}],
}


class Client:
    """A client of the app without a network; exceptions of its handlers are raised here."""

    def __init__(self, app: FastAPI, runner: asyncio.Runner) -> None:
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
        self._client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", timeout=60)
        self._runner = runner

    def ask(self, method: str, path: str, body: str | None = None) -> httpx.Response:
        content = None if body is None else body.encode("utf-8", "surrogatepass")
        headers = {"content-type": "application/json"} if body is not None else {}
        answer = self._runner.run(self._client.request(method, path, content=content, headers=headers))
        assert answer.status_code < 500, f"{answer.status_code}: {answer.text[:200]}"
        return answer


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    settings = Settings(store=tmp_path_factory.mktemp("web") / "store.sqlite3", client_limits=LAVISH)
    app = make_app(settings)
    with asyncio.Runner() as runner:
        life = app.router.lifespan_context(app)
        runner.run(life.__aenter__())
        yield Client(app, runner)
        runner.run(life.__aexit__(None, None, None))


def briefly(rng: random.Random, samples: Sequence[Any]) -> Any:
    """A mutated question with a short thinking time."""
    data = mutate_data(rng, samples)
    seconds = data.get("seconds") if isinstance(data, dict) else None
    if isinstance(seconds, int | float) and seconds > BRIEF_SECONDS:
        data["seconds"] = BRIEF_SECONDS
    return data


def asker(client: Client, path: str) -> Callable[[Any], httpx.Response]:
    def ask(body: Any) -> httpx.Response:
        answer = client.ask("POST", f"/api/{path}", body if isinstance(body, str) else json.dumps(body))
        if answer.status_code != 200:
            check_message(answer.json()["error"], path)
        return answer

    return ask


@pytest.mark.parametrize("path", QUESTIONS)
def test_hostile_question_is_answered_or_refused_in_one_line(client: Client, path: str) -> None:
    ask = asker(client, path)
    for sample in QUESTIONS[path]:
        assert ask(sample).status_code == 200
    fuzz(f"web {path}", ask, QUESTIONS[path], mutate=briefly, quick=30, slow=3_000)
    texts = [json.dumps(sample) for sample in QUESTIONS[path]]
    fuzz(f"web {path} as text", ask, texts, mutate=_mutated_but_brief, quick=15, slow=1_000)


def _mutated_but_brief(rng: random.Random, samples: Sequence[str]) -> str:
    """A mutated text with a short thinking time."""
    text = mutate_text(rng, samples)
    return text if str(BRIEF_SECONDS) in text or "seconds" not in text else text.replace("seconds", "second")


@pytest.mark.parametrize(
    "path",
    [
        "/api/daily_puzzle?date={}",
        "/api/games?game={}",
        "/api/games?limit={}",
        "/api/games?unfinished={}",
        "/api/games/{}",
        "/api/friends/{}",
        "/{}",
    ],
)
def test_hostile_address_is_answered_or_refused(client: Client, path: str) -> None:
    def get(text: str) -> object:
        return client.ask("GET", path.format(quote(text.encode("utf-8", "surrogatepass"), safe="")))

    fuzz(f"address {path}", get, ["3x3", "1", "true", "js/main.js", "../../etc/passwd"], quick=30, slow=3_000)


def test_hostile_store_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "noughts.sqlite3"
    with Store(path) as store:
        for game in ("3x3", "4x4x4"):
            number = store.begin(no.Game(game).start(), "you", "easy")
            store.add_move(number, 1, "X", 4)
        store.finish(number, no.Outcome(no.Side.X, no.Termination.RESIGN, (2, 0)))
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()

    def read(data: bytes) -> object:
        path.write_bytes(data)
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        try:
            with Store(path, read_only=True) as store:
                return [store.get(summary.id).playthrough() for summary in store.list()], store.player_records()
        except StoreError as error:
            raise ValueError(str(error)) from None

    fuzz("store files", read, [whole], mutate=mutate_bytes, quick=60, slow=3_000)
