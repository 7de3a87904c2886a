"""What every client adapter declares: one module for each module of an adapter.

That of hooks is in `hook_contract`: hooks run at every call of every agent, and importing a package
would slow each of them.
"""
