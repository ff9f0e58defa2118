"""The guard before every page: only this machine, only this browser, only this origin.

A launch token is good for one cookie. Host must be this server (else a name that points here could read the
pages: DNS rebinding), and whatever changes something must come from a page of this server.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

IDLE = 8 * 60 * 60  # seconds after which a page that nobody touched must be opened anew
SAFE = ("GET", "HEAD")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
NO_COOKIE = "This page opens only from the address that `shoal studio` printed; start it again for a new one."


class Guard:
    """An ASGI application in front of another one that lets only the person at this machine through.

    >>> from starlette.responses import PlainTextResponse
    >>> guard = Guard(PlainTextResponse("in"), port=8000)
    >>> len(guard.launch) >= 43
    True
    """

    def __init__(self, app: ASGIApp, *, port: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self.launch = secrets.token_urlsafe(32)
        self.cookie = f"shoal_{secrets.token_hex(4)}"  # several studios at once do not log each other out
        self._secret = secrets.token_urlsafe(32)
        self._used = False
        self._clock = clock
        self._seen = clock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with the reason why not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            answer = self._refusal(scope)
            await (self.app if answer is None else answer)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self.hosts:
            return PlainTextResponse("This is not the address of this server.", 421)
        if scope["method"] not in (*SAFE, "POST"):
            return PlainTextResponse("Pages are only read and posted to.", 405)
        entering = scope["method"] == "GET" and scope["path"] == "/" and b"token=" in scope["query_string"]
        if entering:
            return self._enter(scope, headers)
        if not self._knows(headers):
            return PlainTextResponse(NO_COOKIE, 403)
        if not _from_here(scope["method"], headers):
            return PlainTextResponse("Another page asked for this; it was refused.", 403)
        self._seen = self._clock()
        return None

    def _enter(self, scope: Scope, headers: Headers) -> Response:
        """A cookie for the launch token, once; whoever has the cookie already just goes on."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self._knows(headers):
            return RedirectResponse("/", 303)
        if self._used or not secrets.compare_digest(given.encode(), self.launch.encode()):
            return PlainTextResponse(NO_COOKIE, 403)
        self._used, self._seen = True, self._clock()
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.cookie, self._secret, httponly=True, samesite="strict", path="/")
        return answer

    def _knows(self, headers: Headers) -> bool:
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(headers.get("cookie", ""))
        except CookieError:
            return False
        given = jar[self.cookie].value if self.cookie in jar else ""
        fresh = self._clock() - self._seen < IDLE
        return fresh and secrets.compare_digest(given.encode(), self._secret.encode())


def _from_here(method: str, headers: Headers) -> bool:
    """Whether the browser says that a page of this server, or the person, asked for it."""
    site = headers.get("sec-fetch-site")
    if method in SAFE:
        return site in (None, "same-origin", "none")
    if site is not None:
        return site == "same-origin"
    return headers.get("origin", "") == f"http://{headers.get('host', '')}"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
