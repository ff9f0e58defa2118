"""A session of Spark for one job; what Spark says in pages, or after more than a minute, in a sentence."""

from __future__ import annotations

import os
import re
import shutil
import socket
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import InvalidInput

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MASTERS = r"local.*|yarn|(spark|k8s|sc)://.+"
PART_OF_HEAP = 4  # of the memory Java takes one part in so many in a local session; Python's workers the rest
LEAST_HEAP = 600_000_000  # bytes; Spark refuses to start with less than 472 million
WAIT = 5.0  # seconds for an answer from an address
CONNECT_PORT = "15002"  # of Spark Connect, where the address names none


def started_session(master: str, memory: int, folder: Path) -> SparkSession:
    """A new session; one on this machine listens to nobody else and spills into the private folder."""
    from pyspark.sql import SparkSession

    check_master(master)
    builder: Any = SparkSession.builder.appName("shoal")
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    if master.startswith("local"):
        heap = max(memory // PART_OF_HEAP, LEAST_HEAP) // 10**6
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        settings |= {"spark.driver.memory": f"{heap}m", "spark.local.dir": str(folder)}
        settings |= {"spark.log.level": "ERROR"}
    connect = master.startswith("sc://")
    for name, value in ({} if connect else settings).items():
        builder = builder.config(name, value)
    builder = builder.remote(master) if connect else builder.master(master)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # about pandas, which is not used here
            session: SparkSession = builder.getOrCreate()
    except ImportError:
        raise InvalidInput('Spark Connect is not installed; run pip install "pyspark[connect]".') from None
    except Exception as error:  # of pyspark, py4j or Java, with pages of a log
        why = f"({type(error).__name__}); what it wrote above says why."
        raise InvalidInput(f"Spark could not be started for {master.partition(';')[0]} {why}") from None
    return session


def check_master(master: str) -> None:
    """Refuse an address that is none or where nobody answers, and a machine without Java."""
    if not re.fullmatch(MASTERS, master):
        known = "spark://HOST:PORT, sc://HOST:PORT, yarn or local[2]"
        raise InvalidInput(f"Spark knows no address such as {master}; give {known}.")
    scheme, _, rest = master.partition("://")
    if scheme != "sc" and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise InvalidInput("Spark needs Java 17 or later, which is not here; install it, or set JAVA_HOME.")
    if scheme not in ("spark", "sc"):
        return
    where = re.split(r"[/;]", rest)[0]  # what follows may hold a token
    for address in where.split(","):  # a second one is for the day the first is down
        host, _, port = address.partition(":")
        with (
            suppress(OSError, ValueError, OverflowError),
            socket.create_connection((host, int(port or CONNECT_PORT)), WAIT),
        ):
            return
    raise InvalidInput(
        f"Spark cannot be reached at {scheme}://{where}; is its master running, and is that its address?"
    )
