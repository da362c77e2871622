"""Parameters of the fragment that finds the requested model: none."""

from sinbin.policy.render import TemplateParams


class RequestedModel(TemplateParams):
    """Set the variable `requested-model` to the alias in the path or in the body; empty where there is none."""
