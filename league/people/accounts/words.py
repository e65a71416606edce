from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.text import listed

# Parts of user agents, the most specific first, because most browsers also claim to be others.
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
    found = [
        next((name for mark, name in known.items() if mark in user_agent), "")
        for known in (BROWSERS, SYSTEMS)
    ]
    return listed(filter(None, found)) or _("another browser")


NOT_USED = gettext_lazy("The passkey could not be checked. Try again.")
NOT_ADDED = gettext_lazy("The passkey could not be added. Try again.")
_FOLLOW = gettext_lazy("Follow your device…")
_CANCELLED = gettext_lazy("No passkey was chosen. Press the button to try again.")
# Texts of the library's scripts → our texts.
WORDS_OF_SCRIPTS = {
    "Verify with Passkey": gettext_lazy("Sign in with a passkey"),
    "Verifying...": _FOLLOW,
    "Finishing verification...": gettext_lazy("Signing in…"),
    "Verification successful!": gettext_lazy("Signed in."),
    "Verification aborted.": _CANCELLED,
    "Verification canceled or not allowed.": _CANCELLED,
    "Verification failed. Could not retrieve parameters from the server.": NOT_USED,
    "Verification failed. A server error occurred.": NOT_USED,
    "Verification failed. An unknown server error occurred.": NOT_USED,
    "Verification failed. An unknown error occurred.": NOT_USED,
    "An error occurred during verification.": NOT_USED,
    "Register a Passkey": gettext_lazy("Add a passkey"),
    "Registering...": _FOLLOW,
    "Finishing registration...": gettext_lazy("Saving…"),
    "Registration successful!": gettext_lazy("Passkey added."),
    "Registration aborted.": _CANCELLED,
    "Registration aborted or not allowed.": _CANCELLED,
    "Registration failed. You most likely already have a Passkey registered for this site.": gettext_lazy(
        "This device already has a passkey for this account. Sign in with it."
    ),
    "Registration failed. A technical problem occurred that prevents you from registering a Passkey for this"
    " site.": gettext_lazy("Passkeys do not work at this address. Add an authenticator app instead."),
    "Registration failed. Unable to fetch registration options from server.": NOT_ADDED,
    "Registration failed. The server was unable to verify this passkey.": NOT_ADDED,
    "Registration failed. A server error occurred.": NOT_ADDED,
    "Registration failed. An unknown error occurred.": NOT_ADDED,
    "An error occurred during registration.": NOT_ADDED,
}
