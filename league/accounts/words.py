"""A browser in words, from what it calls itself."""

from django.utils.translation import gettext as _

# What a browser's name for itself contains, the most telling first: most of them also claim to be others.
BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


def describe_browser(user_agent: str) -> str:
    """Browser and system, as far as they are known."""
    found = [
        next((name for mark, name in known.items() if mark in user_agent), "")
        for known in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or _("another browser")
