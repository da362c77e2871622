"""Write anew what every policy template renders for its cases; read the difference before you commit it."""

import sys
from pathlib import Path

import yaml

from policy_templates.pages import parameter_model, template_folders
from sinbin.policy.render import render_template


class _Block(str):
    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(
    _Block, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|")
)


def rewritten(folder: Path) -> str:
    """Return the cases of the template in `folder` with the text that it renders today."""
    document = yaml.safe_load((folder / "cases.yaml").read_text("utf-8"))
    for case in document["renders"]:
        case["expect"] = _Block(render_template(folder, parameter_model(folder)(**case["params"])))
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, width=1000, allow_unicode=True)


def main() -> int:
    """Rewrite the cases of every template."""
    for folder in template_folders():
        path = folder / "cases.yaml"
        text = rewritten(folder)
        if path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
