"""A visitor over HTTP who types forms: for tests that need the network, a live server and many at once.

It knows no Django but the names of its cookies, follows no redirect, and remembers cookies. It opens a
connection for each request, as many visitors would.
"""

import http.client
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from tests.pages.forms import PageForm, forms_of

Fields = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    text: str


@dataclass
class Visitor:
    """A person with cookies of their own at the server of this URL. OSError when it does not answer."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)
    seconds: float = 30
    headers: Mapping[str, str] = field(default_factory=dict)

    def get(self, address: str) -> Answer:
        return self._send("GET", address, b"")

    def post(self, address: str, fields: Fields) -> Answer:
        return self._send("POST", address, urlencode(fields, doseq=True).encode())

    def form(self, address: str, page: str, **holds: str) -> PageForm:
        """The form at this address that leads to ``page`` and whose fields hold these values."""
        answer = self.get(address)
        for form in forms_of(answer.text, address):
            if form.page == page and all(form.fields.get(name) == [value] for name, value in holds.items()):
                return form
        raise LookupError(f"no form for {page} with {holds} at {address}, which answered {answer.status}")

    def sign_in(self, username: str, password: str) -> None:
        form = self.form("/accounts/login/", "login")
        typed = form.fields | {"username": [username], "password": [password]}
        answer = self.post(form.action, typed)
        if answer.status != 302:
            raise LookupError(f"{username} could not sign in: {answer.status}")

    def _send(self, method: str, address: str, body: bytes) -> Answer:
        server = urlsplit(self.url)
        connection = http.client.HTTPConnection(server.hostname or "", server.port, timeout=self.seconds)
        try:
            connection.request(method, address, body or None, self._headers())
            response = connection.getresponse()
            text = response.read().decode()
        except http.client.HTTPException as error:
            raise ConnectionError(f"{method} {address}: {error!r}") from error
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return Answer(response.status, response.headers.get("Location", ""), text)

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"} | self.headers
