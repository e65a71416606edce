"""The API with all its operations: importing the two modules registers them."""

from league.api.views import reading, writing
from league.api.views.api import api

__all__ = ["api", "reading", "writing"]
