"""The tools of the MCP server, by subject. They only translate."""
