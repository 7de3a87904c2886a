"""The MCP server: answers Model Context Protocol requests from the workspace.

`entry` takes standard output away before anything is imported that could print; `serving`,
`stdio` and `http` alone know the SDK. It owns no rule of any subject.
"""
