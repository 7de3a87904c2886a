"""What `satchel bench` measures: each thing against a floor of the same run."""
