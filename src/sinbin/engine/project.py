"""A Pulumi project on disk: where it begins, which stacks it has, and the Python in it."""

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from sinbin.errors import SinbinError
from sinbin.input_files import read_yaml
from sinbin.settings import Settings, load_settings

_FILE = "Pulumi.yaml"


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a `Pulumi.yaml`."""

    root: Path
    name: str
    stack_folder: Path
    """Where the files `Pulumi.STACK.yaml` are."""

    def stacks(self) -> tuple[str, ...]:
        """Return the names of all stacks that have a file, sorted."""
        return tuple(sorted(path.stem.removeprefix("Pulumi.") for path in self.stack_folder.glob("Pulumi.*.yaml")))

    def settings(self, stack: str) -> Settings:
        """Read the settings of `stack`.

        Raises:
            SinbinError: there is no such stack, or its file does not describe a gateway.
        """
        if stack not in self.stacks():
            known = ", ".join(self.stacks()) or "none"
            raise SinbinError(
                f'{self.stack_folder}: there is no stack "{stack}" (there is: {known}); '
                f"name one of them, or write Pulumi.{stack}.yaml"
            )
        path = self.stack_folder / f"Pulumi.{stack}.yaml"
        return load_settings(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)

    def module(self, name: str) -> ModuleType:
        """Import a module of the project, which need not be installed: `policy_templates`, `stacks.program`.

        Raises:
            SinbinError: the project has no such module.
        """
        if str(self.root) not in sys.path:
            sys.path.insert(0, str(self.root))
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise
            raise SinbinError(
                f"{self.root}: has no module `{error.name}`, which a sinbin project needs; "
                "start from a copy of the sinbin repository"
            ) from error


def project_root(start: Path) -> Path | None:
    """Return the nearest folder with a `Pulumi.yaml`: `start` (a folder) or one above it; None without one."""
    folders = (start.resolve(), *start.resolve().parents)
    return next((folder for folder in folders if (folder / _FILE).is_file()), None)


def find_project(start: Path) -> Project:
    """Return the project that `start` (a folder) is in.

    Raises:
        SinbinError: neither the folder nor one above it holds a readable `Pulumi.yaml`.
    """
    root = project_root(start)
    if root is not None:
        return _read(root / _FILE)
    raise SinbinError(
        f"{start.resolve()}: no {_FILE} here or in a folder above; run the command inside a sinbin project"
    )


def _read(path: Path) -> Project:
    document = read_yaml(path)
    if not isinstance(document, dict) or not isinstance(document.get("name"), str):
        raise SinbinError(f"{path}: has no name, so it is no Pulumi project; give it a name")
    return Project(
        root=path.parent,
        name=document["name"],
        stack_folder=path.parent / str(document.get("stackConfigDir", "")),
    )
