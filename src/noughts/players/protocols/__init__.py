"""UGI and UCI, Gomocup, CodinGame and JSON lines, each as host of other programs and as engine for other hosts.

Each is imported when it is first used: a game against a level and ``noughts engine`` must start at once.
"""
