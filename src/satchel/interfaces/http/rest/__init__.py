"""The REST API: Beads Console's endpoints and the rest of the product, over HTTP."""
