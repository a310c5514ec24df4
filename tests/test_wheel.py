"""The package as it is installed: built, put into an environment of its own, run from another folder."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    """Modules and migrations are in it, and a database can be built and asked."""
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("zermelo-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {
        "cli.py",
        "solver/exhaustive.py",
        "db/store.py",
        "migrations/env.py",
        "web/api.py",
        "web/page/index.html",
    } <= set(names)
    assert not [name for name in names if name.startswith(("tests", "bench"))]

    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    programs = tmp_path / "env" / "bin"
    subprocess.run([programs / "pip", "install", "--quiet", wheel], check=True)
    away = tmp_path / "away"
    away.mkdir()
    subprocess.run([programs / "zermelo", "build"], cwd=away, check=True)
    asked = subprocess.run(
        [programs / "zermelo", "query", "XO./.X./..O", "--format", "json"], cwd=away, check=True, capture_output=True
    )
    assert json.loads(asked.stdout)["best_move"] == "a2"
