"""The policy behind the gateway of a scenario file: the project's template, checked before it is left out."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sinbin.simulate.scenario import Scenario
    from sinbin.simulate.scenario_policy import Templates


def with_policies(scenarios: "Sequence[Scenario]", seed: int) -> "list[Scenario]":
    """Return what to simulate for `scenarios`: see `policy_scenario`; stderr says where that is a policy itself.

    Raises:
        SinbinError: a template of the project does not render, or cannot be simulated.
    """
    from sinbin.simulate.scenario_policy import policy_scenario  # noqa: PLC0415

    if not any(scenario.gateway is not None and not scenario.gateway.bare for scenario in scenarios):
        return list(scenarios)
    templates = _templates()
    if templates is None:
        click.echo(
            "note: no sinbin project here, so no policy template to render: pools, breakers, retries and caps are "
            "simulated without one",
            err=True,
        )
        return list(scenarios)
    wanted = []
    for scenario in scenarios:
        simulated, difference = policy_scenario(scenario, templates, seed)
        if difference is not None:
            click.echo(
                f"note: {scenario.name}: the rendered policy decides otherwise than the quick program "
                f"({difference}); simulating the policy itself, which takes longer",
                err=True,
            )
        wanted.append(simulated)
    return wanted


def _templates() -> "Templates | None":
    from sinbin.engine.project import find_project, project_root  # noqa: PLC0415
    from sinbin.simulate.scenario_policy import Templates  # noqa: PLC0415

    if project_root(Path.cwd()) is None:
        return None
    project = find_project(Path.cwd())
    templates = project.module("policy_templates")
    return Templates(
        render=templates.render_policies,
        operations=project.module("policy_templates.inference_api.operations").OPERATIONS,
        named_values=lambda topology: {one.name: one.value for one in templates.named_values(topology)},
    )
