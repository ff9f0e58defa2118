"""Starting the studio: a socket on this machine only, a page in the browser, an end that leaves nothing."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path

from shoal.errors import InvalidInput
from shoal.studio.paths_below import PROJECT
from shoal.studio.project_folder import own_source, tables_of


def serve(start: str | Path = ".", *, port: int = 0, open_browser: bool = True) -> None:
    """Serve the studio on this machine until Ctrl-C or Close.

    Parameters
    ----------
    start
        A folder, a file to open, or a project folder (people.shoal); only files below the folder are open to
        the pages.
    port
        The port; a free one if 0.
    open_browser
        Whether to open the page in the browser of this machine.

    Notes
    -----
    It binds 127.0.0.1 and nothing else. From another machine: ``ssh -L PORT:127.0.0.1:PORT HOST``.
    """
    try:
        import uvicorn

        from shoal.studio.pages import studio_app
        from shoal.studio.session import Session
    except ImportError as error:
        raise InvalidInput(
            f'The studio needs {error.name}; install it by pip install "shoal[studio]".'
        ) from error
    root, file = start_of(Path(start))
    listener = _listener(port)
    number = listener.getsockname()[1]
    session = Session(root)
    guard = studio_app(session, port=number)
    config = uvicorn.Config(
        guard, log_level="critical", access_log=False, lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    session.close = lambda: setattr(server, "should_exit", True)
    try:
        if file is not None:
            session.open(file)
        address = f"http://127.0.0.1:{number}/?token={guard.launch}"
        print(f"shoal studio is open on this machine only: {address}\nCtrl-C ends it.", flush=True)
        if open_browser:
            webbrowser.open(address)
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        session.explorer.close()
        session.worker.close()
        listener.close()


def start_of(start: Path) -> tuple[Path, str | None]:
    """The start folder, and the file in it to open, if any.

    >>> start_of(Path("nowhere.csv"))
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: There is no file or folder 'nowhere.csv'.
    """
    if not start.exists():
        raise InvalidInput(f"There is no file or folder {start.name!r}.")
    start = start.resolve()
    if start.is_dir() and start.suffix == PROJECT:
        start = start / "project.toml"
    if start.suffix == ".toml":
        return _start_of_project(start)
    return (start, None) if start.is_dir() else (start.parent, start.name)


def _start_of_project(project: Path) -> tuple[Path, str]:
    """The file of a project of the studio; linked tables are told by the page, to open one of them."""
    tables = tables_of(project)
    if len(tables) > 1:
        root = project.parent.parent if project.parent.suffix == PROJECT else project.parent
        return root, str(project.relative_to(root))
    source = own_source(project, tables)
    return source.parent, source.name


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()  # before the address is told: a quick browser waits instead of being refused
    except OSError as error:
        listener.close()
        raise InvalidInput(f"Port {port} is taken; leave --port out for a free one.") from error
    return listener
