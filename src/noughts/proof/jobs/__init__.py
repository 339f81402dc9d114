"""Solving by jobs: a tree of proof numbers whose leaves are solved by workers, on this machine or on a cluster.

``solve`` drives the search, ``tree`` holds the positions, ``worker`` solves one of them, ``journal`` keeps the answers,
and ``joined_proof`` joins the certificates of the parts.
"""

from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.solve import JobProgress, JobSolver
from noughts.proof.jobs.worker import Answer, answer

__all__ = ["Answer", "JobProgress", "JobSolver", "Journal", "answer"]
