"""What extras do after an action of the log. The core calls it and imports no extra."""

from collections.abc import Callable, Sequence

Follower = Callable[..., None]  # gets the open ``Change`` and the ``Fact``
FOLLOWERS: dict[str, list[Follower]] = {}  # by action of the log


def following(action: str) -> Sequence[Follower]:
    """Return the functions that follow this action of the log."""
    return FOLLOWERS.get(action, ())
