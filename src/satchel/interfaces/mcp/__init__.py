"""The MCP server: what clients ask over the Model Context Protocol, answered by the workspace.

`entry` takes standard output away before anything is imported that could print; `serving`,
`stdio` and `http` alone know the SDK. It owns no rule of any subject.
"""
