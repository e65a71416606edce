"""The WSGI application that gunicorn serves (`gunicorn -c league/server/gunicorn.py league.wsgi`).

``tidy`` runs before Django and removes what Django trusts before any middleware or view could refuse it.
"""

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django = get_wsgi_application()
if "gunicorn" in os.environ.get("SERVER_SOFTWARE", ""):  # a server starts, and not a test or a command
    from league.people.accounts.services import announce_first_account
    from league.server.warm_up import warm_up

    announce_first_account()
    warm_up()

# As browsers and programs send it: a type, a form's boundary, and no character set but UTF-8.
_CONTENT_TYPE = re.compile(
    r"""[\w.+*-]+/[\w.+*-]+(\s*;\s*(boundary="?[\w'()+,./:=? -]{1,70}"?|charset="?utf-?8"?))*""",
    re.ASCII | re.IGNORECASE,
)


def tidy(environ: dict[str, Any]) -> dict[str, Any]:
    """The request without what would be a 500 before the first view.

    Django decodes query and form with whatever codec the content type names: "base64" and "punycode" raise,
    "unicode_escape" makes characters that no page can be encoded with. So only plain parameters are kept
    (a multipart form without its boundary is answered 400). A quoted cookie may hold a NUL, and PostgreSQL
    raises when it is asked for a session with one in its key. No browser sends either.
    """
    content_type = environ.get("CONTENT_TYPE", "")
    if ";" in content_type and not _CONTENT_TYPE.fullmatch(content_type):
        environ["CONTENT_TYPE"], _mark, _parameters = content_type.partition(";")
    if "\\000" in environ.get("HTTP_COOKIE", ""):
        del environ["HTTP_COOKIE"]
    return environ


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    answer: Iterable[bytes] = django(tidy(environ), start_response)
    return answer
