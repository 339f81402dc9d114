"""Tournaments between bots of any kind: played, stored, rated and reported.

>>> from noughts.arena.plan import read_plan
>>> from pathlib import Path
>>> plan = read_plan({"game": "3x3", "rounds": 2, "bots": [{"run": "random"}, {"run": "insane"}]}, Path("."))
>>> plan.names, plan.limits.text
(['random', 'insane'], '1 s a move')
"""
