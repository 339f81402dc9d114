"""Proofs that several tests read."""

PASSES = """{"noughts_proof":1,"game":"7x3","position":"7/3x3/7 o","value":"loss","symmetries":[]}
claim X win
r 8:2 9:3 11:4 ~ 1
f 9
f 11
f 11 4
f 9 2
"""
"""A win after passes: replies that are not listed lose to the same answers."""
