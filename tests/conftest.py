"""Settings of the whole test run."""

import os

from hypothesis import settings

# Tests that load the models' runtime by themselves leave no trace in anybody's home.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
# Directories of tests go away under processes that outlive them.
os.environ["SATCHEL_EMBED_BACKGROUND"] = "0"

# The same examples on every machine, so that a red run means a change; `make torture` looks
# further, with new ones each time. No deadline: other work may share the cores.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("torture", max_examples=1000, deadline=None)
settings.load_profile("torture" if os.environ.get("SATCHEL_TORTURE") == "full" else "steady")
