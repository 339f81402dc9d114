"""Anything that can choose a move."""

from noughts.players.bot import Bot
from noughts.players.engine import EngineBot
from noughts.players.failure import REASONS, BotFailed, NotStarted
from noughts.players.limits import Limits
from noughts.players.process import ProcessBot
from noughts.players.program import Deadline, Program
from noughts.players.random import RandomBot

__all__ = [
    "REASONS",
    "Bot",
    "BotFailed",
    "Deadline",
    "EngineBot",
    "Limits",
    "NotStarted",
    "ProcessBot",
    "Program",
    "RandomBot",
]
