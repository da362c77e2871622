"""Every policy of a topology, rendered."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from policy_templates.consumer.params import from_consumer
from policy_templates.fragments.backend_identity.params import BackendIdentity
from policy_templates.fragments.requested_model.params import RequestedModel
from policy_templates.inference_api.params import from_topology
from sinbin.policy.render import render_template
from sinbin.topology import Topology

API_ID = "openai"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPolicy:
    """The text of one policy, ready for the format `rawxml`."""

    scope: Literal["product", "api", "fragment"]
    name: str
    """Id of the product, API or fragment."""
    text: str

    @property
    def path(self) -> str:
        """File name by scope and entity, e.g. `api-openai.xml`."""
        return f"{self.scope}-{self.name}.xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedValue:
    """A named value that policies refer to as `{{name}}`; none of ours is secret."""

    name: str
    value: str


def render_policies(topology: Topology) -> tuple[RenderedPolicy, ...]:
    """Return every policy that `topology` needs: fragments first, since the others refer to them.

    Raises:
        SinbinError: a template does not render with these parameters.
    """
    fragments = {
        "requested-model": render_template(_HERE / "fragments" / "requested_model", RequestedModel()),
        "backend-identity": render_template(_HERE / "fragments" / "backend_identity", BackendIdentity()),
    }
    return (
        *(RenderedPolicy(scope="fragment", name=name, text=text) for name, text in fragments.items()),
        RenderedPolicy(
            scope="api", name=API_ID, text=render_template(_HERE / "inference_api", from_topology(topology))
        ),
        *(
            RenderedPolicy(
                scope="product",
                name=consumer.name,
                text=render_template(_HERE / "consumer", from_consumer(consumer)),
            )
            for consumer in topology.consumers
        ),
    )


def named_values(topology: Topology) -> tuple[NamedValue, ...]:  # noqa: ARG001
    """Return the named values that the policies of `topology` refer to."""
    return (NamedValue(name="cognitive-services-audience", value="https://cognitiveservices.azure.com"),)
