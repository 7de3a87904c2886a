"""Models behind three small interfaces: embed, rerank, generate.

`static` answers cold commands without numpy; everything else is imported when a model is opened.
Owns no index, no prompt except that of query expansion, and no setting: callers choose the model.
"""
