"""The C++ compiler of the package ziglang: for WebAssembly, and for other systems than this one."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent


def compile_together(sources: Sequence[Path], flags: Sequence[str], output: Path) -> Path:
    """Compile files as one file that includes them."""
    unit, text = output.with_suffix(".cpp"), "".join(f'#include "{source}"\n' for source in sources)
    if not unit.exists() or unit.read_text() != text:
        unit.write_text(text)
    return run("c++", *flags, "-c", unit, output=output)


def run(driver: str, *arguments: str | Path, output: Path) -> Path:
    """Run the compiler in the repository, and return the file that it writes; its cache is in build/zig."""
    environment = dict(os.environ)
    environment.setdefault("ZIG_GLOBAL_CACHE_DIR", str(REPOSITORY / "build" / "zig"))
    environment.setdefault("ZIG_LOCAL_CACHE_DIR", environment["ZIG_GLOBAL_CACHE_DIR"])
    command = [sys.executable, "-m", "ziglang", driver, *arguments, "-o", output]
    if subprocess.run(command, cwd=REPOSITORY, env=environment).returncode != 0:
        raise SystemExit(f"cannot build {output.name}")
    return output
