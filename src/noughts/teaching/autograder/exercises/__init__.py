"""The exercises of notebooks, one file for each task: the text, the code given to students, and the solution.

The docstring of a file is the text. The lines between ``# BEGIN SOLUTION`` and ``# END SOLUTION`` are the solution.
"""
