"""The pages as a Starlette application: one address per screen, one per action, and the meter."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from shoal.errors import ShoalError
from shoal.studio.drawer import drawer
from shoal.studio.guard import Guard
from shoal.studio.meter import meter
from shoal.studio.paths_below import folder_of
from shoal.studio.screens import KEEP, SCREENS, Screen
from shoal.studio.screens.screen import Form
from shoal.studio.session import Session
from shoal.studio.translations import translations
from shoal.studio.words import KIND_WORDS, figure, people

MOST_POSTED = 2_000_000  # bytes of a form
MOST_DRAWN = 20  # times a page is drawn because answers came meanwhile; there are fewer answers to wait for
OLD = (
    "Meanwhile this was done, perhaps in another tab: {done}. The page now shows the project as it is; "
    "do it again if you still want it."
)

words = Environment(
    loader=PackageLoader("shoal.studio", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    extensions=["jinja2.ext.i18n"],
)
words.install_gettext_translations(translations(), newstyle=False)  # type: ignore[attr-defined]
words.filters |= {"figure": figure, "people": people}
words.globals |= {"kind_words": KIND_WORDS, "swap": False}


def studio_app(session: Session, *, port: int) -> Guard:
    """The application behind its guard.

    Parameters
    ----------
    session
        What is shown and changed.
    port
        Where it will be served; requests to another address are refused.
    """
    routes: list[Any] = [
        Route("/", partial(_home, session)),
        Route("/meter", partial(_meter, session)),
        Route("/report/{which}", partial(_report, session)),
        Route("/undo", partial(_act, session, None, "undo"), methods=["POST"]),
        Route("/redo", partial(_act, session, None, "redo"), methods=["POST"]),
        Route("/stop", partial(_act, session, None, "stop"), methods=["POST"]),
        Route("/again", partial(_act, session, None, "again"), methods=["POST"]),
    ]
    for screen in SCREENS:
        routes.append(Route(f"/{screen.name}", partial(_show, session, screen)))
        for action in screen.actions:
            routes.append(
                Route(f"/{screen.name}/{action}", partial(_act, session, screen, action), methods=["POST"])
            )
    routes.append(Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")))
    app = Starlette(routes=routes, exception_handlers={404: _missing, 500: _unexpected})
    return Guard(app, port=port)


async def _home(session: Session, request: Request) -> Response:
    start = "columns" if session.plan["source"] else "linked" if session.linked[0] else "file"
    return RedirectResponse(f"/{start}", 303)


async def _show(session: Session, screen: Screen, request: Request) -> Response:
    query = parse_qs(request.url.query, keep_blank_values=True)
    text = await run_in_threadpool(_page, session, screen, query)
    return HTMLResponse(text, headers={"X-Revision": str(session.history.number)})


async def _meter(session: Session, request: Request) -> Response:
    """The meter alone; once nothing is being counted, the page is told so that its figures follow."""
    seen, screen = request.headers.get("x-revision", ""), _screen_of(parse_qs(request.url.query))
    text, headers = await run_in_threadpool(_meter_text, session, screen, seen)
    return HTMLResponse(text, headers=headers)


def _meter_text(session: Session, screen: Screen, seen: str) -> tuple[str, dict[str, str]]:
    with session.lock:
        around = _around(session, screen, "")
    text = words.get_template("meter.html").render(around)
    headers = {"X-Revision": str(around["revision"])}
    if seen.isdecimal() and int(seen) < around["revision"]:  # the worker changed the plan: show it
        text += words.get_template("moved.html").render(around)
        headers["HX-Trigger-After-Settle"] = "moved"
    elif not around["meter"]["jobs"]:
        headers["HX-Trigger-After-Settle"] = "counted"
    return text, headers


async def _act(session: Session, screen: Screen | None, action: str, request: Request) -> Response:
    """Do what was posted; the answer is the screen and all that stands around it."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_POSTED:
            return PlainTextResponse("The form is too large.", 413)
    try:
        form = parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=20_000)
    except ValueError:
        return PlainTextResponse("The form cannot be read.", 400)
    seen = request.headers.get("x-revision") or (form.get("revision") or [""])[0]
    hx = request.headers.get("hx-request") == "true"
    here = screen or _screen_of(form)
    return await run_in_threadpool(_done, session, screen, here, action, form, seen, hx)


def _done(
    session: Session, screen: Screen | None, here: Screen, action: str, form: Form, seen: str, hx: bool
) -> Response:
    status, notice, then = 200, "", ""
    changes = action in ("undo", "redo") if screen is None else action not in screen.outside
    with session.lock:
        if changes and seen != str(session.history.number):
            since = session.history.since(int(seen)) if seen.isdecimal() and len(seen) < 12 else []
            status, notice = 409, OLD.format(done="; ".join(since[-5:]) or "another change")
        else:
            session.halted = set()
            try:
                then = (
                    _own(session, action) if screen is None else screen.actions[action](session, form)
                ) or ""
            except ShoalError as error:
                status, notice = 422, str(error)
    if then == "closed":
        return HTMLResponse(words.get_template("closed.html").render(hx=hx))
    target = next((one for one in SCREENS if one.name == then), here)
    if not hx:
        if status == 200:
            return RedirectResponse(f"/{target.name}", 303)
        return HTMLResponse(_page(session, here, {}, notice), status)
    if target is not here or (status == 200 and then == target.name != here.name):
        return Response(headers={"HX-Redirect": f"/{target.name}"})
    keep = then == KEEP and status == 200
    main, around = ("", _around(session, here, notice)) if keep else _drawn(session, here, {}, notice)
    text = words.get_template("answer.html").render(**around, main=main)
    headers = {"X-Revision": str(session.history.number)} | ({} if main else {"HX-Reswap": "none"})
    return HTMLResponse(text, status, headers=headers)


def _own(session: Session, action: str) -> str:
    """What every page can do."""
    getattr(session, action)()
    return ""


def _screen_of(form: Form) -> Screen:
    """The screen a common action was asked from."""
    name = (form.get("screen") or [""])[0]
    return next((screen for screen in SCREENS if screen.name == name), SCREENS[0])


def _page(session: Session, screen: Screen, query: Form, notice: str = "") -> str:
    try:
        main, around = _drawn(session, screen, query, notice)
    except ShoalError as error:
        main, around = _drawn(session, screen, {}, str(error))
    return words.get_template("page.html").render(**around, main=main)


def _drawn(session: Session, screen: Screen, query: Form, notice: str) -> tuple[str, dict[str, Any]]:
    """The screen and what stands around it, of one moment.

    An answer that came meanwhile would be lost: the screen would wait for it, the meter beside it not.
    """
    for _ in range(MOST_DRAWN):
        seen = session.moment
        main, around = _main(session, screen, query), _around(session, screen, notice)
        if session.moment == seen:
            break
    return main, around


def _main(session: Session, screen: Screen, query: Form) -> str:
    shown = screen.facts(session, query)
    template = words.get_template(f"{screen.name}.html")
    return template.render(shown, plan=session.plan, session=session, revision=session.history.number)


def _around(session: Session, screen: Screen, notice: str) -> dict[str, Any]:
    """What stands around every screen."""
    return {
        "screen": screen,
        "screens": [(one, one.state(session)) for one in SCREENS],
        "session": session,
        "file": Path(session.plan["source"]).name,
        "meter": meter(session),
        "drawer": drawer(session),
        "revision": session.history.number,
        "notice": notice,
    }


async def _report(session: Session, request: Request) -> Response:
    """A report of the release, under a policy of its own: no script, nothing from elsewhere."""
    which = request.path_params["which"]
    source = Path(session.plan["source"])
    path = folder_of(source) / "reports" / f"{which}.html"
    if which not in ("internal", "public") or not session.plan["source"] or not path.is_file():
        return PlainTextResponse("There is no such report yet.", 404)
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
    return HTMLResponse(path.read_bytes(), headers={"Content-Security-Policy": policy})


async def _missing(request: Request, error: Exception) -> Response:
    return PlainTextResponse("There is no such page.", 404)


async def _unexpected(request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"The page stopped on an unexpected {type(error).__name__}.", 500)
