"""Solving and proving: the solver, certificates, their checkers, and solves that many processes share."""
