"""HTTP: the server, the REST API and the console. Translates only."""
