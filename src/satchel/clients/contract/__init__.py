"""What every client adapter declares: one module per module of an adapter.

Hooks have theirs in `hook_contract`: they run at each call of each agent, and a package on the way
costs each of them.
"""
