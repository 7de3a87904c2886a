"""How the files of satchel-models are made. Runs while the wheel is built and is not in it."""
