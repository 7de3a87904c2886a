"""The REST API: seed 003's endpoints and the rest of the product, over HTTP."""
