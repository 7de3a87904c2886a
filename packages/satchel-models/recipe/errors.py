"""What can go wrong while building."""


class NoSourceError(Exception):
    """No source wheel could be had."""


class NotAccurateError(Exception):
    """What was built does not compute what the numpy pass computes."""
