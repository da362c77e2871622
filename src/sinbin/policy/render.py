"""Policy text from a template and its parameters.

A template is a folder with `template.xml.j2` beside the pydantic model of its parameters. The result is meant
for the policy format `rawxml`. Values are escaped for XML; that is the wrong escaping for C#, so a template that
puts a value inside a policy expression is refused: pass it through `set-variable` or a named value instead.
"""

import traceback
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, UndefinedError, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict

from sinbin.errors import SinbinError
from sinbin.policy.parser import parse_text

TEMPLATE_FILE = "template.xml.j2"
# Stands for a value while the template itself is read as a policy; no template holds this private character.
_VALUE = "\ue000"


class TemplateError(SinbinError):
    """A policy template cannot be rendered; the message starts with its path and, where known, its line."""


class TemplateParams(BaseModel):
    """Parameters of a policy template: frozen, and unknown ones are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def render_template(folder: Path, params: TemplateParams) -> str:
    """Return the policy that the template in `folder` makes of `params`.

    Nothing but the parameters can be read by a template: no other file, no attribute that changes anything.

    Raises:
        TemplateError: the template is missing, is no Jinja, names a variable that is not a parameter, or puts a
            value inside a policy expression.
    """
    path = folder / TEMPLATE_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TemplateError(f"{path}: cannot be read ({error.strerror}); a template folder holds it") from error
    except UnicodeDecodeError as error:
        raise TemplateError(f"{path}: byte {error.start} is not UTF-8; save the template as UTF-8 text") from error
    values = {
        name: getattr(params, name) for name in (*type(params).model_fields, *type(params).model_computed_fields)
    }
    template = _compiled(path, text, frozenset(values))
    try:
        return template.render(values)
    except UndefinedError as error:
        raise TemplateError(
            f"{path}:{_line_of(error, path)}: {error.message}; {_available(values.keys())}"
        ) from error


@lru_cache(maxsize=64)
def _compiled(path: Path, text: str, parameters: frozenset[str]) -> Template:
    """Return the template that `text` is; a plan renders one for each consumer, in the program and for itself."""
    # Not `select_autoescape`: it goes by the file's ending and would leave `*.xml.j2` unescaped.
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    try:
        tree = environment.parse(text)
        _check_names(tree, parameters, frozenset(environment.globals), path)
        _check_expressions(environment, text, path)
        code = environment.compile(tree, filename=str(path))
    except TemplateSyntaxError as error:
        raise TemplateError(f"{path}:{error.lineno}: {error.message}") from error
    return environment.template_class.from_code(environment, code, environment.make_globals(None))


def _available(names: AbstractSet[str]) -> str:
    return f"the parameters are {', '.join(sorted(names))}" if names else "the template has no parameters"


def _check_names(
    tree: nodes.Template, parameters: AbstractSet[str], builtin: AbstractSet[str], path: Path
) -> None:
    """Refuse other files, and a variable that is no parameter, also where this rendering would not reach it."""
    for loads in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        raise TemplateError(f"{path}:{loads.lineno}: a template reads no other file; use a policy fragment")
    unknown = meta.find_undeclared_variables(tree) - parameters - builtin
    for name in tree.find_all(nodes.Name):
        if name.name in unknown:
            raise TemplateError(f"{path}:{name.lineno}: no parameter `{name.name}`; {_available(parameters)}")


def _check_expressions(environment: ImmutableSandboxedEnvironment, text: str, path: Path) -> None:
    """Refuse a value inside `@(…)` or `@{…}`, judged on the template itself so that no value can hide it."""
    pieces = []
    in_value = False
    for _, kind, token in environment.lex(text):
        in_value = in_value or kind == "variable_begin"
        if in_value:
            pieces.append(_VALUE * len(token))
        else:
            pieces.append(token if kind == "data" else "".join("\n" if c == "\n" else " " for c in token))
        in_value = in_value and kind != "variable_end"
    document = parse_text("".join(pieces), str(path))
    for element in document.walk():
        for valued in element.valued():
            for expression in valued.expressions:
                if _VALUE in expression.code:
                    line = expression.position(expression.code.index(_VALUE)).line
                    raise TemplateError(
                        f"{path}:{line}: a value is put inside the policy expression of `{element.name}`, where "
                        f"XML escaping does not protect it; pass it through set-variable or a named value"
                    )


def _line_of(error: UndefinedError, path: Path) -> int:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return frames[-1].lineno or 0 if frames else 0
