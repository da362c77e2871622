"""The state of the local Azure on disk."""

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

from sinbin.local.control_plane.store import Store


def test_the_database_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "azure" / "control-plane.db"
    Store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_passing_reader_takes_no_log_from_under_two_open_stores(tmp_path):
    """Opening the file beside SQLite once dropped its locks, and the next process to close it removed the log."""
    path = tmp_path / "control-plane.db"
    with closing(Store(path)), closing(Store(path)):
        script = (
            "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('PRAGMA user_version'); db.close()"
        )
        subprocess.run([sys.executable, "-c", script, str(path)], check=True)
        assert path.with_name(f"{path.name}-wal").is_file()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA quick_check").fetchall() == [("ok",)]
