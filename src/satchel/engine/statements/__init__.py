"""What statements say of each other: that they repeat, contradict, replace or end one another.

By words alone: no model, and no list of statements. It knows neither memories nor rules.
"""
