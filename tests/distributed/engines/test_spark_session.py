"""An address that is none, one where nobody answers, no Java: a sentence each, at once."""

from __future__ import annotations

import socket

import pytest

from shoal.distributed.engines import spark_session
from shoal.distributed.engines.spark_session import check_master
from shoal.errors import InvalidInput


@pytest.fixture
def java(monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/somewhere")


@pytest.fixture
def door():
    """A port where somebody listens, and one that is taken but closed."""
    with socket.socket() as opened, socket.socket() as closed:
        for one in (opened, closed):
            one.bind(("127.0.0.1", 0))
        opened.listen()
        yield opened.getsockname()[1], closed.getsockname()[1]


@pytest.mark.parametrize("master", ["tcp://head:8786", "head:7077", "", "spark://", "http://head"])
def test_what_is_no_address_of_spark(java, master):
    with pytest.raises(InvalidInput, match="Spark knows no address such as"):
        check_master(master)


def test_an_address_where_nobody_answers(java, door):
    opened, closed = door
    for master in (f"spark://127.0.0.1:{closed}", f"sc://127.0.0.1:{closed}/;token=secret", "spark://x:y"):
        with pytest.raises(InvalidInput, match="Spark cannot be reached at") as said:
            check_master(master)
        assert "secret" not in str(said.value)
    check_master(f"spark://127.0.0.1:{closed},127.0.0.1:{opened}")
    check_master(f"sc://127.0.0.1:{opened}/;use_ssl=true")


def test_java_is_asked_for_where_this_machine_needs_it(monkeypatch, door):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(spark_session.shutil, "which", lambda name: None)
    with pytest.raises(InvalidInput, match="Spark needs Java"):
        check_master("local[2]")
    check_master(f"sc://127.0.0.1:{door[0]}")
