"""The state of the local control plane: one SQLite file, one transaction per acknowledged write.

The file is written ahead (WAL), so a process that is killed leaves either the whole write or none of it. It
holds generated keys, therefore only its owner may read it.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sinbin.errors import SinbinError

SCHEMA_VERSION = 1
_START_AGAIN = "remove it with `sinbin local down --purge` and deploy again"

_SCHEMA = """
CREATE TABLE resource (
    key TEXT PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, parent TEXT NOT NULL, subscription TEXT NOT NULL,
    resource_group TEXT NOT NULL, location TEXT, body TEXT NOT NULL, secrets TEXT NOT NULL, etag INTEGER NOT NULL,
    state TEXT NOT NULL, ready_at REAL NOT NULL, created_at REAL NOT NULL, changed_at REAL NOT NULL);
CREATE INDEX resource_type ON resource (type, parent);
CREATE TABLE operation (id TEXT PRIMARY KEY, resource TEXT NOT NULL, done_at REAL NOT NULL);
CREATE TABLE deleted (
    key TEXT NOT NULL, type TEXT NOT NULL, location TEXT NOT NULL, record TEXT NOT NULL, deleted_at REAL NOT NULL,
    purge_at REAL NOT NULL, PRIMARY KEY (key, type));
CREATE TABLE counter (name TEXT PRIMARY KEY, count INTEGER NOT NULL);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A resource as it is stored. Times are seconds on the clock of the control plane."""

    id: str
    type: str
    parent: str
    subscription: str
    resource_group: str
    location: str | None
    body: Mapping[str, Any]
    """What was asked for and what the service added, without id, name, type and secrets."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """What a GET never shows, by a dotted path into the body or by a name of our own."""
    etag: int = 1
    state: str = "Succeeded"
    """Creating, Updating, Deleting or Succeeded."""
    ready_at: float = 0.0
    """When the state becomes Succeeded (or, while Deleting, the resource disappears)."""
    created_at: float = 0.0
    changed_at: float = 0.0

    @property
    def name(self) -> str:
        """The last name of the id."""
        return self.id.rpartition("/")[2]

    @property
    def properties(self) -> Mapping[str, Any]:
        """The `properties` of the body."""
        found: Mapping[str, Any] = self.body.get("properties") or {}
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedRecord:
    """A resource that was deleted and can still be restored until `purge_at`."""

    record: Record
    location: str
    deleted_at: float
    purge_at: float


_COLUMNS = (
    "id, type, parent, subscription, resource_group, location, body, secrets, etag, state, ready_at, created_at, "
    "changed_at"
)


class Store:
    """Resources, running operations, deleted resources and counters."""

    def __init__(self, path: Path) -> None:
        """Open `path`, or make it.

        Raises:
            SinbinError: the file can't be written, is no database of ours, or is of another version.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with suppress(FileExistsError):
                # An existing file is left to SQLite alone: POSIX drops a process's locks on a file when any of its
                # descriptors is closed, and another process could then remove the log under a running server.
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            [(version,)] = self._db.execute("PRAGMA user_version")
            if version == 0:
                self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
            [(health,)] = self._db.execute("PRAGMA quick_check(1)")
        except OSError as error:
            raise SinbinError(
                f"{path}: cannot be written ({error.strerror}); choose a folder with --state"
            ) from error
        except sqlite3.OperationalError as error:
            raise SinbinError(f"{path}: cannot be opened ({error}); choose a folder with --state") from error
        except sqlite3.DatabaseError as error:
            raise SinbinError(f"{path}: is damaged ({error}); {_START_AGAIN}") from error
        if health != "ok":
            raise SinbinError(f"{path}: is damaged ({health}); {_START_AGAIN}")
        if version not in {0, SCHEMA_VERSION}:
            raise SinbinError(
                f"{path}: has the layout {version} of another version of sinbin, this one reads {SCHEMA_VERSION}; "
                f"{_START_AGAIN}"
            )

    def close(self) -> None:
        """Close the file; it can be opened again."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make what is written inside the block one transaction: all of it, or, after an error, none."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def version(self) -> int:
        """Return a number that differs from the last one when another connection has written since."""
        [(version,)] = self._db.execute("PRAGMA data_version")
        return int(version)

    def get(self, resource_id: str) -> Record | None:
        """Return the resource with that id, compared without regard to case."""
        row = self._db.execute(f"SELECT {_COLUMNS} FROM resource WHERE key = ?", (resource_id.lower(),)).fetchone()  # noqa: S608
        return None if row is None else _record(row)

    def put(self, record: Record) -> Record:
        """Write `record`, replacing what has its id."""
        values = (
            record.id.lower(),
            record.id,
            record.type,
            record.parent.lower(),
            record.subscription.lower(),
            record.resource_group.lower(),
            record.location,
            json.dumps(record.body),
            json.dumps(record.secrets),
            record.etag,
            record.state,
            record.ready_at,
            record.created_at,
            record.changed_at,
        )
        marks = ", ".join("?" * len(values))
        self._db.execute(f"INSERT OR REPLACE INTO resource (key, {_COLUMNS}) VALUES ({marks})", values)  # noqa: S608
        return record

    def settle(self, record: Record) -> None:
        """Mark the operation on `record` as ended well."""
        self._db.execute("UPDATE resource SET state = 'Succeeded' WHERE key = ?", (record.id.lower(),))

    def remove(self, record: Record) -> None:
        """Remove `record` and everything in it (children and extensions)."""
        key = record.id.lower()
        self._db.execute(
            "DELETE FROM resource WHERE key = ? OR substr(key, 1, ?) = ?", (key, len(key) + 1, key + "/")
        )

    def select(
        self,
        type_: str | None = None,
        *,
        parent: str | None = None,
        subscription: str | None = None,
        under: str | None = None,
    ) -> list[Record]:
        """Return resources by type, parent, subscription, or an id that they are in; ordered by id."""
        wheres, values = ["1"], list[Any]()
        for column, value in (("type", type_), ("parent", parent), ("subscription", subscription)):
            if value is not None:
                wheres.append(f"{column} = ?")
                values.append(value if column == "type" else value.lower())
        if under is not None:
            wheres.append("substr(key, 1, ?) = ?")
            values += [len(under) + 1, under.lower() + "/"]
        query = f"SELECT {_COLUMNS} FROM resource WHERE {' AND '.join(wheres)} ORDER BY key"  # noqa: S608
        return [_record(row) for row in self._db.execute(query, values)]

    def due(self, now: float) -> list[Record]:
        """Return the resources whose operation has ended by `now`, the first to end first."""
        query = (
            f"SELECT {_COLUMNS} FROM resource WHERE state != 'Succeeded' AND ready_at <= ? ORDER BY ready_at, key"  # noqa: S608
        )
        return [_record(row) for row in self._db.execute(query, (now,))]

    def begin_operation(self, operation: str, resource_id: str, done_at: float) -> None:
        """Remember an operation that ends at `done_at`."""
        self._db.execute("INSERT INTO operation VALUES (?, ?, ?)", (operation, resource_id, done_at))

    def operation(self, operation: str) -> tuple[str, float] | None:
        """Return the id of the resource and the end of an operation."""
        found: tuple[str, float] | None = self._db.execute(
            "SELECT resource, done_at FROM operation WHERE id = ?", (operation,)
        ).fetchone()
        return found

    def bury(self, deleted: DeletedRecord) -> None:
        """Keep a deleted resource so that it can be restored."""
        record = deleted.record
        text = json.dumps({name: getattr(record, name) for name in Record.__dataclass_fields__})
        self._db.execute(
            "INSERT OR REPLACE INTO deleted VALUES (?, ?, ?, ?, ?, ?)",
            (record.id.lower(), record.type, deleted.location, text, deleted.deleted_at, deleted.purge_at),
        )

    def buried(self, type_: str, now: float) -> list[DeletedRecord]:
        """Return the deleted resources of a type that can still be restored, ordered by id."""
        self._db.execute("DELETE FROM deleted WHERE purge_at <= ?", (now,))
        rows = self._db.execute(
            "SELECT record, location, deleted_at, purge_at FROM deleted WHERE type = ? ORDER BY key", (type_,)
        )
        return [
            DeletedRecord(record=Record(**json.loads(text)), location=at, deleted_at=deleted_at, purge_at=purge_at)
            for text, at, deleted_at, purge_at in rows
        ]

    def purge(self, deleted: DeletedRecord) -> None:
        """Forget a deleted resource."""
        self._db.execute(
            "DELETE FROM deleted WHERE key = ? AND type = ?", (deleted.record.id.lower(), deleted.record.type)
        )

    def count(self, name: str) -> None:
        """Add one to the counter `name`."""
        self._db.execute(
            "INSERT INTO counter VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1", (name,)
        )

    def counters(self) -> dict[str, int]:
        """Return all counters by name."""
        return dict(self._db.execute("SELECT name, count FROM counter ORDER BY name"))


def _record(row: tuple[Any, ...]) -> Record:
    names = (name.strip() for name in _COLUMNS.split(","))
    fields = dict(zip(names, row, strict=True))
    return replace(
        Record(**{k: v for k, v in fields.items() if k not in {"body", "secrets"}}, body={}),
        body=json.loads(fields["body"]),
        secrets=json.loads(fields["secrets"]),
    )
