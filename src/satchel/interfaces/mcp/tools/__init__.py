"""The tools of the MCP server, by what they are about. Translate only."""
