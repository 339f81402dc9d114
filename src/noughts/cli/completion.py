"""What the shell offers when the tab key is pressed: games and players by name, else files."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

__all__ = ["complete_game", "complete_player"]


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the games of the catalogue, by alias and id, that begin so; files where none does."""
    from noughts.games import catalogue

    entries = catalogue()
    names = {entry.name: entry.about for entry in entries} | {entry.id: entry.about for entry in entries}
    return _items(names, incomplete) or [CompletionItem(incomplete, type="file")]


def complete_player(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the players, people and bots, whose names begin so."""
    from noughts.players import PEOPLE, player_names

    return _items(PEOPLE | player_names(), incomplete)


def _items(names: dict[str, str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=about) for name, about in names.items() if name.startswith(incomplete.lower())]
