"""Hostile programs that strangers may hand in, and one table of results for the arena, the cup and the grader.

An attack is the body of a function ``attack()`` in Python. Names in capitals between percent signs stand for values
that a test fills in: ``%FOLDER%`` a folder of others, ``%PORT%`` a port of this machine that listens, ``%MARK%`` a text
in the command line of each process that the attack leaves behind.

The same program is a submission to grade, with a wrong search, and a player that speaks JSON lines.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from typing import NamedTuple
from uuid import uuid4

from processes import command_of

__all__ = [
    "HOSTILE",
    "SECRET",
    "SECRET_VARIABLE",
    "SHORT",
    "Hostile",
    "bait",
    "hostile_program",
    "left_behind",
]

SECRET = "the-secret-of-a-neighbour"
"""In the files of others and in the environment of the host; a program that finds it prints it."""
SECRET_VARIABLE = "NOUGHTS_TEST_TOKEN"
HONEST = "constant-value"
"""The diagnosis of the wrong search that stands in each program: the attack has changed nothing."""
FORGED_GRADE = """'{"format": "noughts-grade", "version": 1, "passed": true, "points": 10, "properties": []}'"""
FORGED_ANSWER = """'{"key": "", "number": 0, "nodes": 1, "changes": "", "answer": ["t", 0, 4]}'"""


class Hostile(NamedTuple):
    """An attack, its results, when it begins, and the program's answers when it is asked."""

    results: tuple[str | None, str]
    """The reason of its forfeit in the arena and the cup, None if it plays to the end; the diagnosis of its grade."""
    attack: str
    in_call: bool = False
    """Whether it begins with the first question, not when the program is loaded."""
    answer: str = "0, position.legal_moves[0]"
    """An expression of ``position``; the usual one is a wrong answer of a search."""
    line: str = """'{"move": "' + legal[0] + '"}'"""
    """An expression of ``legal``: the line that the player writes."""


LEAVE_BEHIND = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600) # %MARK%"])
    os._exit(0)
"""
SEND_SIGNAL = """
import os, signal
try:
    os.kill({}, signal.{})
except OSError:
    pass
"""
FIND_FRAMES = """
import sys
frame, found = sys._getframe(), {}
while frame is not None:
    found = {**frame.f_locals, **found}
    frame = frame.f_back
"""

HOSTILE: dict[str, Hostile] = {
    # The grader and its answers
    "walks the frames to the writer": Hostile(
        ("crash", "forged-answer"),
        FIND_FRAMES + "found['write']({'key': found['asked']['key'], 'number': found['number'], 'nodes': 1, "
        "'answer': ['t', 0, 4]})\n",
        in_call=True,
    ),
    "walks the frames and answers everything": Hostile(
        ("crash", "forged-answer"),
        FIND_FRAMES + "for number in range(found['number'], len(found['asked']['questions'])):\n"
        "    found['write']({'key': found['asked']['key'], 'number': number, 'nodes': 1, 'answer': ['t', 0, 4]})\n",
        in_call=True,
    ),
    "walks the frames and sends a grade": Hostile(
        (None, HONEST),
        FIND_FRAMES + "import json, os\nfrom noughts.teaching.grading import TASKS, Grade\n"
        "properties = TASKS['alphabeta'].properties\n"
        "grade = Grade('forged', 'alphabeta', 'noughts', '3x3', 627, properties)\n"
        "grade.checked |= {each.id for each in properties}\n"
        "for value in found.values():\n    if hasattr(value, 'send_bytes') and value.writable:\n"
        "        value.send_bytes(json.dumps({'grade': grade.to_data()}).encode())\n        os._exit(0)\n",
        in_call=True,
    ),
    "writes a grade to every descriptor": Hostile(
        ("garbage", "forged-answer"),
        f"import os\nfor fd in range(256):\n    try:\n        os.write(fd, {FORGED_GRADE}.encode() + b'\\n')\n"
        "    except OSError:\n        pass\n",
    ),
    "writes early answers to every descriptor": Hostile(
        ("garbage", "forged-answer"),
        f"import os\nfor fd in range(256):\n    try:\n        os.write(fd, {FORGED_ANSWER}.encode() * 99 + b'\\n')\n"
        "    except OSError:\n        pass\n",
    ),
    "finds the key among all objects": Hostile(
        (None, "forged-answer"),
        "import gc, json, os\nall = gc.get_objects()\n"
        "keys = [each['key'] for each in all if type(each) is dict and type(each.get('key')) is str]\n"
        "for key in keys:\n    for fd in range(3, 64):\n        try:\n"
        "            os.write(fd, json.dumps({'key': key, 'number': 0, 'nodes': 1}).encode() + b'\\n')\n"
        "        except OSError:\n            pass\n",
        in_call=True,
    ),
    "takes the pipes of the grader": Hostile(
        (None, "ends-process"),
        "import os\nnull = os.open(os.devnull, os.O_RDWR)\nfor fd in range(3, 64):\n"
        "    if fd != null:\n        os.dup2(null, fd)\n",
    ),
    "floods the answers from a thread": Hostile(
        (None, "forged-answer"),
        "import os, threading\ndef flood():\n    while True:\n        for fd in range(3, 64):\n            try:\n"
        "                os.write(fd, b'0' * 60_000 + b'\\n')\n            except OSError:\n                pass\n"
        "threading.Thread(target=flood, daemon=True).start()\n",
    ),
    "patches noughts": Hostile(
        (None, HONEST),
        "import noughts.games, noughts.teaching.grading as grading\n"
        "from noughts.teaching.grading import answers, question_runner, judge\n"
        "from noughts.teaching.grading.runtime import server\n"
        "noughts.games.Position.text = 'forged'\njudge.MinimaxJudge.value = lambda *ignored: 0\n"
        "question_runner.Exam.fail = lambda *ignored: None\n"
        "server.encode = answers.encode = lambda answer: ['t', 0, 4]\n",
    ),
    "patches the standard library": Hostile(
        (None, HONEST),
        "import json, os\nwrite = os.write\njson.dumps = lambda *ignored, **named: '{\"passed\": true}'\n"
        "os.write = lambda fd, data: write(fd, b'forged')\nos._exit = lambda code: None\n",
    ),
    "patches the recorder": Hostile(
        (None, HONEST),
        "from noughts.teaching.grading.runtime.recording_position import VisitedNode, RecordingPosition\n"
        "RecordingPosition.play = lambda self, move: self._position.play(move)\n"
        "RecordingPosition.undo = lambda self: self._position.undo()\n",
    ),
    "replaces the built-in functions": Hostile(
        ("crash", "ends-process"),
        "import builtins\nbuiltins.isinstance = lambda *ignored: True\nbuiltins.len = lambda thing: 0\n"
        "builtins.hasattr = lambda *ignored: True\n",
    ),
    "traces every function": Hostile(
        (None, "exits"),
        "import sys\ndef trace(frame, event, argument):\n    if 'answer' in frame.f_locals:\n"
        "        raise SystemExit\n    return trace\nsys.settrace(trace)\nsys.setprofile(trace)\n",
    ),
    # Processes
    "kills its parent": Hostile((None, HONEST), SEND_SIGNAL.format("os.getppid()", "SIGKILL")),
    "kills its process group": Hostile(("crash", "crashes"), "import os, signal\nos.killpg(0, signal.SIGKILL)\n"),
    "kills everything it can": Hostile((None, HONEST), SEND_SIGNAL.format("-1", "SIGKILL"), in_call=True),
    "stops its parent": Hostile((None, HONEST), SEND_SIGNAL.format("os.getppid()", "SIGSTOP")),
    "leaves a process behind": Hostile((None, HONEST), LEAVE_BEHIND),
    "starts many processes": Hostile(
        ("limit", "too-many-processes"),
        "import os, time\nfor _ in range(400):\n    try:\n        if os.fork() == 0:\n            time.sleep(600)\n"
        "            os._exit(0)\n    except OSError:\n        break\ntime.sleep(600)\n",
    ),
    "starts many threads": Hostile(
        ("limit", "too-many-processes"),
        "import threading, time\nthreading.stack_size(1 << 16)\nfor _ in range(400):\n"
        "    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\ntime.sleep(600)\n",
    ),
    "traces its parent": Hostile(
        (None, HONEST),
        "import ctypes, os\nlibc = ctypes.CDLL(None)\nlibc.ptrace(16, os.getppid(), 0, 0)\nlibc.ptrace(0, 0, 0, 0)\n",
    ),
    "becomes another program": Hostile(
        ("garbage", "ends-process"),
        f"import os\nos.execv('/bin/sh', ['sh', '-c', \"echo '\" + {FORGED_GRADE} + \"'\"])\n",
        in_call=True,
    ),
    "raises its limits": Hostile(
        ("crash", "memory"),
        "import resource\nfor kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_NPROC):\n    try:\n"
        "        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "    except (OSError, ValueError):\n        pass\nheld = [bytearray(b'x' * (1 << 24)) for _ in range(100)]\n",
    ),
    # Files and sockets
    "reads the files of others": Hostile(
        (None, HONEST),
        "import os, pathlib\nfor root in ('%FOLDER%', '/tmp', '..'):\n    for folder, _, names in os.walk(root):\n"
        "        for name in (name for name in names if name.endswith('.py')):\n            try:\n"
        "                text = pathlib.Path(folder, name).read_text()\n"
        "            except (OSError, ValueError):\n                continue\n"
        "            if '-of-a-' 'neighbour' in text:\n                print(text)\n",
    ),
    "looks for secrets in the environment": Hostile(
        (None, HONEST),
        "import os, pathlib, sys\nfound = [str(dict(os.environ))]\n"
        "for path in pathlib.Path('/proc').glob('*/environ'):\n    try:\n"
        "        found.append(path.read_text(errors='replace'))\n    except OSError:\n        pass\n"
        "print(*(text for text in found if '-of-a-' 'neighbour' in text), file=sys.stderr)\n",
    ),
    "makes many files": Hostile(
        ("limit", "too-many-files"),
        "import time\nfor number in range(11_000):\n    open(f'/tmp/{number}', 'w').close()\ntime.sleep(600)\n",
    ),
    "changes the files of others": Hostile(
        (None, HONEST),
        "import pathlib\nfor path in pathlib.Path('%FOLDER%').rglob('*'):\n    try:\n"
        "        with open(path, 'a') as file:\n            file.write('raise SystemExit')\n"
        "    except OSError:\n        pass\n",
    ),
    "writes beside the files of others": Hostile(
        ("crash", "raises"), "open('%FOLDER%/written', 'w').write('forged')\n"
    ),
    "writes into its own folder": Hostile(("crash", "raises"), "open(__file__, 'a').write('forged')\n"),
    "fills the disk": Hostile(
        ("crash", "raises"),
        "for number in range(64):\n    with open(f'/tmp/{number}', 'wb') as file:\n"
        "        for _ in range(16):\n            file.write(bytes(1 << 20))\n",
    ),
    "connects to a port": Hostile(
        ("crash", "raises"), "import socket\nsocket.create_connection(('127.0.0.1', %PORT%), 2)\n"
    ),
    "connects to a socket": Hostile(
        ("crash", "raises"), "import socket\nplug = socket.socket(socket.AF_UNIX)\nplug.connect('%FOLDER%/socket')\n"
    ),
    "reads its parent's memory": Hostile(
        (None, HONEST),
        "import os, sys\nfor pid in {os.getppid(), 1}:\n    for name in ('environ', 'cmdline', 'mem', 'maps'):\n"
        "        try:\n            print(open(f'/proc/{pid}/{name}', 'rb').read(100), file=sys.stderr)\n"
        "        except OSError:\n            pass\n",
    ),
    # Endings
    "leaves when it is loaded": Hostile(("crash", "exits"), "import sys\nsys.exit(0)\n"),
    "leaves when it is asked": Hostile(("crash", "ends-process"), "import os\nos._exit(0)\n", in_call=True),
    "leaves with an exit handler": Hostile(
        ("garbage", "raises"),
        "import atexit, gc, weakref\natexit.register(print, 'forged')\n"
        "class Last:\n    def __del__(self):\n        print('forged')\nlast = Last()\nraise KeyboardInterrupt\n",
    ),
    "raises an exception of its own": Hostile(
        ("crash", "ends-process"),
        "class Odd(BaseException):\n    def __str__(self):\n        raise Odd\n    __repr__ = __str__\nraise Odd\n",
        in_call=True,
    ),
    "crashes": Hostile(("crash", "crashes"), "import ctypes\nctypes.string_at(0)\n", in_call=True),
    "aborts": Hostile(("crash", "crashes"), "import os\nos.abort()\n", in_call=True),
    "recurses without end": Hostile(("crash", "endless-recursion"), "def fall():\n    fall()\nfall()\n", in_call=True),
    "closes every descriptor": Hostile(("crash", "ends-process"), "import os\nos.closerange(0, 4096)\n"),
    # Time
    "loops": Hostile(("time", "endless-loop"), "while True:\n    pass\n", in_call=True),
    "sleeps through signals": Hostile(
        ("time", "endless-loop"),
        "import signal, time\nfor number in range(1, 32):\n    try:\n        signal.signal(number, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n        pass\nwhile True:\n    time.sleep(600)\n",
        in_call=True,
    ),
    "stops itself": Hostile(
        ("time", "endless-loop"), "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n", in_call=True
    ),
    # Memory and output
    "takes shared memory": Hostile(
        ("limit", "memory"),
        "import mmap, time\nmemory = mmap.mmap(-1, 1 << 30)\nfor at in range(0, 1 << 30, 4096):\n    memory[at] = 1\n"
        "time.sleep(600)\n",
    ),
    "takes memory": Hostile(
        ("crash", "memory"), "held = []\nwhile True:\n    held.append(b'x' * (1 << 24))\n", in_call=True
    ),
    "prints without end": Hostile(("garbage", "endless-loop"), "while True:\n    print('x' * 1000)\n", in_call=True),
    "writes to standard error without end": Hostile(
        ("flood", "floods"), "import os\nwhile True:\n    os.write(2, b'x' * 100_000)\n", in_call=True
    ),
    "writes to standard output without end": Hostile(
        ("flood", "floods"), "import os\nwhile True:\n    os.write(1, b'x' * 100_000)\n", in_call=True
    ),
    "prints control characters": Hostile(("garbage", HONEST), "print('\\x1b[2J\\x1b]0;forged\\x07 10/10 passed')\n"),
    # Answers
    "answers with a huge number": Hostile(
        ("garbage", "answer-form"), "pass\n", answer="10**5000, 10**5000", line="""'{"move": ' + '9' * 5000 + '}'"""
    ),
    "answers with no number": Hostile(
        ("garbage", ""), "pass\n", answer="float('nan'), position.legal_moves[0]", line="""'{"move": NaN}'"""
    ),
    "answers with infinity": Hostile(
        ("garbage", HONEST), "pass\n", answer="float('inf'), position.legal_moves[0]", line="""'{"move": Infinity}'"""
    ),
    "answers with an endless list": Hostile(
        ("garbage", "answer-form"),
        "pass\n",
        answer="__import__('itertools').count()",
        line="""'{"move": [' + '0, ' * 20_000 + '0]}'""",
    ),
    "answers with nested lists": Hostile(
        ("garbage", "answer-form"),
        "global nested\nnested = []\nfor _ in range(100_000):\n    nested = [nested]\n",
        answer="nested, nested",
        line="""'{"move": ' + '[' * 60_000""",
    ),
    "answers with an object equal to all": Hostile(
        ("garbage", HONEST),
        "global Yes\nclass Yes(int):\n    __eq__ = lambda self, other: True\n    __hash__ = lambda self: 0\n",
        answer="Yes(7), Yes(77)",
        line="""'{"move": {"move": "' + legal[0] + '"}}'""",
    ),
    "answers with an object that raises": Hostile(
        ("illegal", "answer-form"),
        "global No\nclass No:\n    def __index__(self):\n        raise SystemExit\n"
        "    __eq__ = __repr__ = __hash__ = __float__ = __iter__ = __index__\n",
        answer="No(), No()",
        line="""'{"move": "\\\\ud800"}'""",
    ),
    "answers with a move outside the board": Hostile(
        ("illegal", HONEST), "pass\n", answer="0, 10**12", line="""'{"move": "z99"}'"""
    ),
}
"""The attacks by what they do."""

SHORT = (
    "walks the frames and answers everything",
    "finds the key among all objects",
    "patches noughts",
    "kills everything it can",
    "leaves a process behind",
    "starts many threads",
    "reads the files of others",
    "looks for secrets in the environment",
    "writes beside the files of others",
    "connects to a socket",
    "makes many files",
    "answers with an object equal to all",
)
"""The attacks of the short form."""

PROGRAM = """\
def attack():
%ATTACK%

%NOW%
asked = []

def alphabeta(position):
    if %LATER% and not asked:
        asked.append(1)
        attack()
    return %ANSWER%

def play():
    import json, sys
    for line in sys.stdin:
        legal = json.loads(line)["legal"]
        if %LATER% and not asked:
            asked.append(1)
            attack()
        print(%LINE%, flush=True)

if __name__ == "__main__":
    play()
"""


def hostile_program(hostile: Hostile, **values: object) -> str:
    """Return a program with an attack and a search that is wrong, so that an honest grade does not pass it."""
    parts = {
        "ATTACK": indent(hostile.attack, "    "),
        "NOW": "" if hostile.in_call else "attack()",
        "LATER": hostile.in_call,
        "ANSWER": hostile.answer,
        "LINE": hostile.line,
        **values,
    }
    program = PROGRAM
    for name, value in parts.items():
        program = program.replace(f"%{name}%", str(value))
    return program


@contextmanager
def bait(folder: Path) -> Iterator[dict[str, object]]:
    """Put a secret and a socket into a folder of others; yield the values for attacks, and check that all of them fail.

    The secret is in the environment, too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "secret.py").write_text(f"# {SECRET}\n")
    mark = f"left-behind-{uuid4().hex}"
    os.environ[SECRET_VARIABLE] = SECRET
    try:
        with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as plug:
            plug.bind(str(folder / "socket"))
            plug.listen()
            before = _contents(folder)
            yield {"FOLDER": folder, "PORT": port.getsockname()[1], "MARK": mark}
            assert _contents(folder) == before
            assert not _is_connected(port)
            assert not _is_connected(plug)
    finally:
        del os.environ[SECRET_VARIABLE]
    assert left_behind(mark) == []


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _is_connected(listener: socket.socket) -> bool:
    listener.settimeout(0)
    try:
        listener.accept()
    except BlockingIOError:
        return False
    return True


def left_behind(mark: str) -> list[str]:
    """Return the commands of running processes that have a mark."""
    commands = (command_of(int(folder.name)) for folder in Path("/proc").glob("[0-9]*"))
    return [command for command in commands if mark in command]
