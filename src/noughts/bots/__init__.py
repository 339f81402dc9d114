"""Anything that can choose a move."""

from noughts.bots.bot import Bot
from noughts.bots.engine import EngineBot
from noughts.bots.random import RandomBot

__all__ = ["Bot", "EngineBot", "RandomBot"]
