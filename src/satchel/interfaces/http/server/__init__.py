"""What every HTTP interface stands behind: the served projects and the gate."""
