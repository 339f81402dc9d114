"""Settings for every test."""

from hypothesis import settings

# The same examples on every run and every machine: a failure in CI is a failure here.
settings.register_profile("noughts", derandomize=True, deadline=None, database=None, print_blob=False)
settings.load_profile("noughts")
