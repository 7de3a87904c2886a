"""What all HTTP interfaces share: the served projects and the gate."""
