"""From policy documents to steps; what cannot be modelled is refused here, all of it at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sinbin.gateway.blocks import NOTHING, Step, block
from sinbin.gateway.configuration import PolicySource, ScopeKind
from sinbin.gateway.expressions import compile_expression
from sinbin.gateway.failures import LoadProblem, Place
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import policies
from sinbin.gateway.shape import Kind
from sinbin.gateway.values import Value, parse_literal
from sinbin.policy.document import SECTIONS, DocumentKind
from sinbin.policy.nodes import NAMED_VALUE, Attribute, Element, Text
from sinbin.policy.nodes import Node as PolicyNode
from sinbin.policy.parser import parse_text
from sinbin.topology import Tier

_READS_REPLY = re.compile(r"\bcontext\s*\.\s*Response\s*\??\s*\.\s*Body\b")
BASE = None
"""Stands for `<base />` among the steps of a section."""

Part = tuple[Step, Place] | None


@dataclass(frozen=True, slots=True)
class CompiledDocument:
    """The steps of each section that a document has; `<base />` is still a mark in them."""

    scope: str
    sections: Mapping[str, Sequence[Part]]
    reads_reply: bool = False
    """Some policy looks at the body of the reply, so the reply cannot be relayed as it comes."""


@dataclass(slots=True)
class DocumentLoader:
    """Compiles documents of one configuration and collects what is wrong in them."""

    fragments: Mapping[str, PolicySource]
    named_values: Mapping[str, str]
    tier: Tier
    backends: frozenset[str] = frozenset()
    """Names of backends and pools."""
    openid_documents: Mapping[str, str] = field(default_factory=dict)
    certificates: Mapping[str, str] = field(default_factory=dict)
    allow_unmodelled: bool = False
    problems: dict[LoadProblem, None] = field(default_factory=dict)
    reads_reply: bool = False
    """The document being compiled looks at the body of the reply."""
    ignored: dict[str, None] = field(default_factory=dict)
    """What is not modelled and was let pass, e.g. `retry@foo`; in the order in which it was met."""

    def load(self, source: PolicySource, kind: ScopeKind, scope: str) -> CompiledDocument:
        """Compile `source`, the document of the scope `scope`, which is of `kind`."""
        document = parse_text(source.text, source.name)
        for problem in document.problems:
            self.report(source.name, *document.position(problem.start), problem.message)
        root = document.root
        self.reads_reply = False
        if root is None or document.kind is not DocumentKind.POLICIES:
            self.report(source.name, 1, 1, "this is no policy document: <policies> is missing")
            return CompiledDocument(scope, {})
        sections: dict[str, Sequence[Part]] = {}
        for element in root.elements:
            line, column = element.position
            if element.name not in SECTIONS:
                self.report(source.name, line, column, f"<policies> takes no <{element.name}>")
            elif element.name in sections:
                self.report(source.name, line, column, f"the section <{element.name}> is there twice")
            else:
                compiler = SectionCompiler(self, kind, scope, element.name, source.name)
                sections[element.name] = compiler.section(element)
        return CompiledDocument(scope, sections, self.reads_reply)

    def report(self, file: str, line: int, column: int, message: str) -> None:
        """Add a problem; the same one is kept once."""
        self.problems[LoadProblem(file, line, column, message)] = None


@dataclass(slots=True)
class SectionCompiler:
    """Compiles the policies of one section of one document, fragments included."""

    loader: DocumentLoader
    kind: ScopeKind
    scope: str
    """The name of what the document belongs to: a product, an API, an operation."""
    name: str
    file: str
    fragment: str = ""
    """Name of the fragment whose policies are compiled, empty outside."""

    def section(self, element: Element) -> list[Part]:
        """Return the parts of a section, `<base />` kept as a mark."""
        if self.name == "backend" and len(element.elements) > 1:
            names = ", ".join(f"<{child.name}>" for child in element.elements)
            self.refuse(
                element.elements[1],
                f"the backend section takes one policy, here are {names}; put them inside one <retry> or <choose>",
            )
        parts: list[Part] = []
        run: list[Element] = []
        numbers: dict[str, int] = {}
        for child in element.elements:
            if child.name == "base":
                if BASE in parts:
                    self.refuse(child, "<base /> is there twice in the section")
                parts.extend(self.steps(run, "", numbers))
                run = []
                parts.append(BASE)
            else:
                run.append(child)
        parts.extend(self.steps(run, "", numbers))
        self._no_text(element)
        return parts

    def fragment_block(self, node: Node, name: str) -> Step:
        """Return the step that runs the policies of the fragment `name`, included by `node`."""
        source = self.loader.fragments.get(name)
        if source is None:
            known = ", ".join(sorted(self.loader.fragments)) or "none"
            node.refuse(f'includes the fragment "{name}", which is not there (fragments: {known})')
            return NOTHING
        if self.fragment:
            node.refuse(f'stands inside the fragment "{self.fragment}": a fragment cannot include another one')
            return NOTHING
        document = parse_text(source.text, source.name)
        for problem in document.problems:
            self.loader.report(source.name, *document.position(problem.start), problem.message)
        root = document.root
        if root is None or document.kind is not DocumentKind.FRAGMENT:
            self.loader.report(source.name, 1, 1, "this is no policy fragment: <fragment> is missing")
            return NOTHING
        inner = SectionCompiler(self.loader, self.kind, self.scope, self.name, source.name, name)
        return block(inner.steps(root.elements, node.path, {}))

    def value(self, written: Attribute | Text, kind: Kind, where: str, *, allow_expression: bool) -> Value:
        """Return the value of `written`, named values replaced in it."""
        expression = written.expression
        if expression is not None and not any(written.named_values()):
            if not allow_expression:
                self.refuse(written, f"{where} takes no expression")
                return Value.of(None)
            return self._expression(written, expression.code, kind, block=expression.block)
        text = self.replace_named_values(written, written.value)
        code = text.strip()
        if code[:2] in {"@(", "@{"} and code[-1:] in {")", "}"}:
            if not allow_expression:
                self.refuse(written, f"{where} takes no expression")
                return Value.of(None)
            return self._expression(written, code[2:-1], kind, block=code[1] == "{")
        if written.expressions:
            self.refuse(written, f"{where} mixes text with an expression; make all of it one expression")
            return Value.of(None)
        try:
            return Value.of(parse_literal(text if isinstance(written, Attribute) else text.strip(), kind))
        except ValueError as error:
            self.refuse(written, f"{where}: {error}")
            return Value.of(None)

    def replace_named_values(self, written: PolicyNode, text: str) -> str:
        """Return `text` with every `{{name}}` replaced once; what stands inside a named value is not looked at."""

        def replace(match: re.Match[str]) -> str:
            value = self.loader.named_values.get(match[1])
            if value is None:
                known = ", ".join(sorted(self.loader.named_values)) or "none"
                self.refuse(written, f'the named value "{match[1]}" is not there (named values: {known})')
                return ""
            return value

        return NAMED_VALUE.sub(replace, text) if "{{" in text else text

    def refuse(self, written: PolicyNode, message: str) -> None:
        """Report a problem at `written`."""
        self.loader.report(self.file, *written.position, message)

    def unmodelled(self, written: PolicyNode, name: str, message: str) -> None:
        """Report something that is not modelled, or remember it when such things are let pass."""
        if self.loader.allow_unmodelled:
            self.loader.ignored[name] = None
        else:
            self.refuse(written, message)

    def _expression(self, written: Attribute | Text, code: str, kind: Kind, *, block: bool) -> Value:
        compiled = compile_expression(code, block=block)
        if _READS_REPLY.search(code):
            self.loader.reads_reply = True
        for problem in compiled.problems:
            expression = written.expression
            at = expression.position(problem.offset) if expression else written.position
            self.loader.report(self.file, *at, problem.message)
        return Value.expression(compiled, kind)

    def steps(self, elements: Sequence[Element], path: str, numbers: dict[str, int]) -> list[tuple[Step, Place]]:
        """Return a step and its place for each of the policies `elements`, which stand inside `path`.

        `numbers` counts the policies by name, so that several runs of one section number on.
        """
        steps: list[tuple[Step, Place]] = []
        for element in elements:
            numbers[element.name] = numbers.get(element.name, 0) + 1
            own = f"{element.name}[{numbers[element.name]}]"
            step = self._step(element, f"{path}\\{own}" if path else own)
            if step is not None:
                steps.append(step)
        return steps

    def _step(self, element: Element, path: str) -> tuple[Step, Place] | None:
        name = element.name
        if name == "base":
            what = f'the fragment "{self.fragment}"' if self.fragment else "another policy"
            self.refuse(element, f"<base /> stands inside {what}; it belongs directly into a section")
            return None
        policy = policies().get(name)
        if policy is None:
            self.unmodelled(element, name, f"<{name}> is not modelled")
            return None
        if self.name not in policy.sections:
            allowed = ", ".join(sorted(policy.sections))
            self.refuse(element, f"<{name}> is not allowed in {self.name} (allowed: {allowed})")
        if self.kind not in policy.scopes:
            allowed = ", ".join(kind for kind in policy.scopes)
            self.refuse(element, f"<{name}> is not allowed in the {self.kind} scope (allowed: {allowed})")
        if self.loader.tier == "Consumption" and not policy.in_consumption:
            self.refuse(element, f"<{name}> is not available in the tier Consumption")
        step = policy.compile(Node(element, policy.shape, self, path), self)
        place = Place(self.kind, self.name, path, element.get("id") or "", name, self.file, element.position.line)
        return step, place

    def _no_text(self, element: Element) -> None:
        for text in element.texts:
            self.refuse(text, f"<{element.name}> takes no text")
