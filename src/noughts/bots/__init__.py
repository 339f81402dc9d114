"""Anything that can choose a move."""

from noughts.bots.bot import Bot
from noughts.bots.engine import EngineBot
from noughts.bots.process import BotFailed, ProcessBot
from noughts.bots.random import RandomBot

__all__ = ["Bot", "BotFailed", "EngineBot", "ProcessBot", "RandomBot"]
