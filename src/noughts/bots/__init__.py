"""Anything that can choose a move."""

from noughts.bots.bot import Bot
from noughts.bots.engine import EngineBot
from noughts.bots.failure import REASONS, BotFailed, NotStarted
from noughts.bots.limits import Limits
from noughts.bots.process import ProcessBot
from noughts.bots.program import Deadline, Program
from noughts.bots.random import RandomBot

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
