"""The API's description held against the API: schemathesis makes requests from it, right and wrong ones, and judges the answers."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.conftest import Server


@pytest.mark.slow
def test_the_description_is_true(server: Server, tmp_path: Path) -> None:
    """No answer whose status or shape is not described, and nothing wrong that is taken for right."""
    config = tmp_path / "schemathesis.toml"
    # A game is only known if it is stored, which no schema says: one that is made up is right in form and gets 404.
    config.write_text(
        '[parameters]\n"path.game" = ["mnk:3,3,3", "tictactoe", "nim:1,2,3", "figure:two-ply", "none:1"]\n'
    )
    done = subprocess.run(
        [
            sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "--config-file", str(config), "run",
            f"{server.address}openapi.json", "--max-examples", "60", "--seed", "16", "--workers", "1", "--no-color",
            "--request-timeout", "60",
            "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
            "response_headers_conformance,negative_data_rejection,unsupported_method",
        ],
        cwd=tmp_path,  # where it keeps what it remembers
        capture_output=True,
        text=True,
        timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 passed" in done.stdout, done.stdout
