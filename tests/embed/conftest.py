"""Settings of Hypothesis for these tests."""

from hypothesis import settings

# Time limits of single examples say nothing on a machine that others use too.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
