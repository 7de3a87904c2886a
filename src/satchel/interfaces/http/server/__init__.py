"""What every face over HTTP stands behind: the projects that are served, and the gate."""
