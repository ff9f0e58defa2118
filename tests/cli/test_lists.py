"""shoal methods, datasets and version."""

from __future__ import annotations

import json

from shoal import __version__


def test_methods_datasets_and_version_are_listed(shoal):
    assert "mdav" in shoal("methods")[1]
    assert "Domingo-Ferrer" in shoal("methods", "mdav")[1]
    assert {"menu", "method", "what it does", "options"} == set(json.loads(shoal("methods", "--json")[1])[0])
    assert "load_sme" in shoal("datasets")[1]
    assert json.loads(shoal("datasets", "--json")[1])[0]["name"] == "load_sme"
    assert shoal("version")[1].strip() == shoal("--version")[1].strip() == __version__
    assert "--install-completion" in shoal("--help")[1]
