"""Modules that need an extra of the package. User interfaces do not import each other: commands start them by name."""

from __future__ import annotations

import importlib
from types import ModuleType

import click

from noughts.invocation import install_line

__all__ = ["import_full", "import_mcp", "import_web"]

WEB_PACKAGES = ("fastapi", "h11", "prometheus_client", "pydantic", "segno", "starlette", "uvicorn", "websockets")
MCP_PACKAGES = ("anyio", "mcp", "mcp_types", "starlette", "uvicorn")


def import_web(module: str, needs: str = "noughts web needs more packages", otherwise: str = "") -> ModuleType:
    """Return a module of ``noughts.web``; raises ClickException with a line that names the extra."""
    return _import(f"noughts.web.{module}", WEB_PACKAGES, f"{needs}: {install_line('web')}{otherwise}")


def import_mcp() -> ModuleType:
    """Return the MCP server; raises ClickException with a line that names the extra."""
    line = f"noughts mcp needs the MCP SDK: {install_line('mcp')}"
    return _import("noughts.mcp.server", MCP_PACKAGES, line)


def import_full() -> ModuleType:
    """Return the full-screen game; raises ClickException with a line that names the extra."""
    line = f"noughts play --full needs Textual: {install_line('full')}"
    return _import("noughts.cli.full.run", ("textual",), line)


def _import(module: str, packages: tuple[str, ...], line: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in packages:
            raise
        raise click.ClickException(line) from None
