"""`sinbin render`: every policy of a stack as a file."""

import tempfile
from pathlib import Path

import click

from sinbin.errors import SinbinError, UsageError


@click.command(short_help="Write every policy of a stack as a file.")
@click.option("-s", "--stack", required=True, help="The environment: prod of stacks/Pulumi.prod.yaml.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A folder; it is made if need be.")
def command(stack: str, out: Path) -> None:
    """Write every policy of a stack as a file named by scope and entity, such as `api-openai.xml`.

    The folder holds either every policy or, after an error, none of them. Files of an earlier run are replaced;
    a file that no run of this command could have written is never touched.
    """
    from sinbin.engine.plan import render_policies  # noqa: PLC0415
    from sinbin.engine.project import find_project  # noqa: PLC0415

    project = find_project(Path.cwd())
    policies = render_policies(project, project.settings(stack).to_topology())
    try:
        _write(out, {policy.path: policy.text for policy in policies})
    except OSError as error:
        raise SinbinError(
            f"{error.filename or out}: cannot be written: {error.strerror}; choose another --out"
        ) from error
    for policy in policies:
        click.echo(out / policy.path)


def _write(out: Path, texts: dict[str, str]) -> None:
    """Write all of `texts` into the folder `out`, or nothing."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: is a file, and the policies need a folder; choose another --out")
    blocked = [name for name in texts if (out / name).exists() and not (out / name).is_file()]
    if blocked:
        raise UsageError(f"{out / blocked[0]}: is in the way and no file; move it, or choose another --out")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.mkdir(exist_ok=True)
    # All of them are written before the first one gets its name: a full disk leaves the old files whole.
    with tempfile.TemporaryDirectory(dir=out, prefix=".sinbin-") as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, "utf-8", newline="\n")
        for name in texts:
            (Path(folder) / name).replace(out / name)
