"""What this person believes of what a repository brings: rules, who wrote what, and the gate."""
