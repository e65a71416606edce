"""Where the addresses of a competition begin."""

from django.urls import URLPattern, URLResolver, include, path


def in_competition(*pages: URLPattern) -> URLResolver:
    """These pages below their competition's address, whose slug they are called with."""
    return path("c/<slug:slug>/", include(list(pages)))
