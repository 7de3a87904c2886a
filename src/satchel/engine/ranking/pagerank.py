"""PageRank over weighted links: a vectorised step, repeated. Pure; imports numpy on use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

DAMPING = 0.85


class Walk:
    """A random walk over `count` nodes, prepared once and queried many times.

    Args:
        sources: the node each link leaves, int, shape (links,).
        targets: the node each link enters, int, shape (links,).
        weights: the weight of each link, greater than 0, shape (links,); parallel links add up.
        count: how many nodes there are; nodes are 0 .. count - 1.
    """

    __slots__ = ("_flow", "_loose", "_sources", "_targets", "count")

    def __init__(
        self, sources: ArrayLike, targets: ArrayLike, weights: ArrayLike, count: int
    ) -> None:
        import numpy as np

        self.count = count
        self._sources: NDArray[Any] = np.asarray(sources, dtype=np.int64)
        self._targets: NDArray[Any] = np.asarray(targets, dtype=np.int64)
        strength = np.asarray(weights, dtype=np.float64)
        leaving = np.bincount(self._sources, weights=strength, minlength=count)
        self._loose: NDArray[Any] = np.flatnonzero(leaving <= 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = strength / leaving[self._sources]
        self._flow: NDArray[Any] = np.nan_to_num(share)

    def rank(
        self,
        restart: ArrayLike | None = None,
        *,
        damping: float = DAMPING,
        iterations: int = 20,
        tolerance: float = 1e-4,
    ) -> NDArray[Any]:
        """Return the share of time the walk spends at each node; shares sum to 1.

        r = (1 - d) * p + d * (M r + loose * p), where p is `restart` scaled to 1, M moves along the
        links and `loose` is the share on nodes without links. Page and others, 1999; the
        personalised restart is Haveliwala, WWW 2002.

        Args:
            restart: where the walk restarts, at least 0, shape (count,); everywhere if None or all
                0.
            damping: probability of following a link instead of restarting.
            iterations: the most steps.
            tolerance: stop once a step changes all shares together by less.
        """
        import numpy as np

        if not self.count:
            return np.zeros(0)
        begin = np.zeros(0) if restart is None else np.asarray(restart, dtype=np.float64)
        total = float(begin.sum())
        home = begin / total if total > 0.0 else np.full(self.count, 1.0 / self.count)
        shares = home
        for _ in range(iterations):
            moved = np.bincount(
                self._targets, weights=self._flow * shares[self._sources], minlength=self.count
            )
            loose = float(shares[self._loose].sum())
            after = damping * moved + ((1.0 - damping) + damping * loose) * home
            change = float(np.abs(after - shares).sum())
            shares = after
            if change < tolerance:
                break
        scaled: NDArray[Any] = shares / shares.sum()
        return scaled
