"""Tournaments between bots of any kind: played, stored, rated and reported.

>>> from pathlib import Path
>>> from noughts.arena.plan import read_plan
>>> plan = read_plan({"game": "3x3", "rounds": 2, "bots": [{"run": "random"}, {"run": "insane"}]}, Path("."))
>>> plan.names, plan.limits.text
(['random', 'insane'], '1 s a move')

``tournaments.Tournaments(store).add(plan)`` stores a tournament and returns its number. ``runner.Run(tournaments,
number, plan)`` is its run: ``run.play(worker.LocalWorkers(plan, 2))`` plays it, and
``standings.Standings(plan, run.counted)`` has the scores and ratings.
"""
