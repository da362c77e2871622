"""What a stack would create, without an engine, a cloud, a login or a provider plugin."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sinbin.engine.project import Project
from sinbin.topology import Topology


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedResource:
    """A resource that would exist.

    `parent` is `type::name` of the component it belongs to, None at the top. Secret inputs read `[secret]`, values
    that only Azure knows stand in brackets.
    """

    type: str
    name: str
    parent: str | None
    inputs: Mapping[str, Any]

    @property
    def is_component(self) -> bool:
        """Whether it only groups others; nothing of it exists in Azure."""
        return self.type.startswith("sinbin:components:")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPolicy:
    """A policy document; `path` is the file that `sinbin render` writes it to."""

    path: str
    scope: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that a stack would create, parents before children, then by type and name."""

    stack: str
    topology: Topology
    resources: tuple[PlannedResource, ...]
    policies: tuple[PlannedPolicy, ...]


def plan_stack(project: Project, stack: str) -> Plan:
    """Run the project's program for `stack` in this process and return what it declares.

    Raises:
        SinbinError: there is no such stack, or its settings or policies do not describe a gateway.
    """
    # Rendering policies, the other half of this module, works without Pulumi.
    from sinbin.engine.recording import record  # noqa: PLC0415

    topology = project.settings(stack).to_topology()
    program = project.module("stacks.program")
    recorded = record(lambda: program.deploy(topology), project=project.name, stack=stack)
    return Plan(
        stack=stack,
        topology=topology,
        resources=tuple(
            PlannedResource(type=item.type, name=item.name, parent=item.parent, inputs=item.inputs)
            for item in recorded
        ),
        policies=render_policies(project, topology),
    )


def render_policies(project: Project, topology: Topology) -> tuple[PlannedPolicy, ...]:
    """Return every policy of `topology` as the project's templates write it, sorted by path.

    Raises:
        SinbinError: the project has no templates, or a parameter of one is wrong.
    """
    rendered = project.module("policy_templates").render_policies(topology)
    planned = [PlannedPolicy(path=item.path, scope=item.scope, text=item.text) for item in rendered]
    return tuple(sorted(planned, key=lambda item: item.path))
