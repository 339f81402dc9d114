"""Measurements: rules, speed, strength, tuning. ``python -m bench --help`` lists them; results go to ``bench/out``."""
