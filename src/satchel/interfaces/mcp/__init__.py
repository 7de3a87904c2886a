"""The MCP server: answers Model Context Protocol requests from the workspace.

`entry` takes over standard output before importing anything that could print; only `serving`,
`stdio` and `http` know the SDK. It owns no rules of any feature.
"""
