"""Tools for developers: ``bench.measure``, ``bench.tune`` for evaluation weights, ``bench.train`` for networks.

``python -m bench --help`` lists the measurements. All results go to ``bench/out``.
"""
