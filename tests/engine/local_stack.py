"""A local Azure in a process of its own, and a stack on it that the real Pulumi CLI drives."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
DONE = re.compile(
    r"^ ?(?:\+|~|-|\+-|\+\+|--)\s+(\S+:\S+:\S+) (\S+) (created|updated|deleted|replaced)\b", re.MULTILINE
)
LONGEST_S = 180


def copy_project(folder):
    """Copy what `pulumi` reads: the project file, the program, the stack files."""
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "Pulumi.yaml", folder)
    shutil.copytree(ROOT / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def known_stacks():
    """Return how messages list the stacks of this project, whatever a user has added to them."""
    return ", ".join(sorted(path.name.split(".")[1] for path in (ROOT / "stacks").glob("Pulumi.*.yaml")))


def replace_once(path, old, new):
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new), "utf-8")


class LocalAzure:
    """A local Azure in a process of its own, which can be killed and started again on the same state."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.options = options

    def sinbin(self, *words):
        command = [sys.executable, "-m", "sinbin", "local", *words, "--state", str(self.folder)]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST_S).stdout

    def start(self):
        ports = [
            word for name in ("", "provider-", "regions-", "page-", "gateway-") for word in (f"--{name}port", "0")
        ]
        self.sinbin("up", *ports, *self.options)
        self.environment = json.loads(self.sinbin("env", "--format", "json"))

    def stop(self):
        self.sinbin("down")

    def kill(self):
        os.kill(json.loads((self.folder / "process.json").read_text())["pid"], signal.SIGKILL)

    def status(self):
        return json.loads(self.sinbin("status", "--format", "json"))

    def query(self, text):
        # Read only: a second writer that closes the file may take its write-ahead log with it.
        with closing(sqlite3.connect(f"file:{self.folder / 'control-plane.db'}?mode=ro", uri=True)) as database:
            return database.execute(text).fetchall()

    def count(self):
        return self.query("SELECT count(*) FROM resource")[0][0]

    def listing(self):
        """Everything that is there, by id."""
        return {row[0]: json.loads(row[1]) for row in self.query("SELECT id, body FROM resource")}

    def secrets(self):
        """Every key that the services made up; a named value that is public by its own word is none."""
        rows = self.query("SELECT body, secrets FROM resource")
        public = [row for row in rows if json.loads(row[0]).get("properties", {}).get("secret") is False]
        return [value for row in rows if row not in public for value in json.loads(row[1]).values()]


class Stack:
    """A stack in a project folder, driven by the real CLI as a person types it."""

    def __init__(self, folder, name, azure, cli):
        self.folder, self.name, self.azure, self.cli = folder, name, azure, cli
        self.file = folder / "stacks" / f"Pulumi.{name}.yaml"
        self.said = ""

    def environment(self):
        return {
            **os.environ,
            **self.azure.environment,
            **self.cli.environment(),
            "PULUMI_HOME": str(self.folder / "home"),
        }

    def command(self, *words):
        return [str(self.cli.executable), *words, "--non-interactive", "--color", "never", "--stack", self.name]

    def pulumi(self, *words, fails=False):
        """Run the CLI and return what it said; `fails` = it has to end with an error."""
        ran = subprocess.run(  # noqa: PLW1510
            self.command(*words),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST_S,
        )
        self.said += ran.stdout
        assert (ran.returncode != 0) == fails, ran.stdout
        return ran.stdout

    def init(self):
        command = [str(self.cli.executable), "stack", "init", self.name, "--non-interactive"]
        subprocess.run(command, cwd=self.folder, env=self.environment(), check=True, capture_output=True)

    def up(self):
        """Deploy and return what was done, as {(what, type, name)}; components are left out."""
        return done(self.pulumi("up", "--yes", "--skip-preview"))

    def resources(self):
        """Return the (type, name) of everything in the state, without providers and the stack itself."""
        deployment = json.loads(self.pulumi("stack", "export"))["deployment"]
        found = [named(item["urn"]) for item in deployment.get("resources", [])]
        return sorted(item for item in found if not item[0].startswith("pulumi:"))


def named(urn):
    *_, types, name = urn.split("::")
    return types.rpartition("$")[2], name


def done(text):
    return {
        (what, kind, name)
        for kind, name, what in DONE.findall(text)
        if not kind.startswith(("sinbin:", "pulumi:"))
    }


@contextmanager
def local_azure(folder, *options):
    azure = LocalAzure(folder, *options)
    azure.start()
    try:
        yield azure
    finally:
        azure.stop()


def wait_until(condition, process):
    """Return when `condition` holds while `process` still runs."""
    until = time.monotonic() + LONGEST_S
    while not condition():
        assert process.poll() is None, "it ended before it could be interrupted"
        assert time.monotonic() < until
        time.sleep(0.02)
