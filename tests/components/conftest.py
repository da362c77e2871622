"""One recording stand-in for the engine: what a component declares, as it would be sent to Azure."""

import pytest
from pulumi_azure_native import resources

from sinbin.engine.recording import record


class Declared:
    """The resources of one program, found by type and name."""

    def __init__(self, resources):
        self.resources = resources

    def one(self, kind, name=None):
        [found] = [item for item in self.resources if item.type.endswith(kind) and name in (None, item.name)]
        return found

    def names(self, kind):
        return [item.name for item in self.resources if item.type.endswith(kind)]


@pytest.fixture
def declare():
    """Run a program and return what it declared."""
    return lambda program: Declared(record(program, project="sinbin", stack="test"))


@pytest.fixture
def place():
    """The service that every child of API Management is in."""
    return {"resource_group_name": "rg", "service_name": "gateway"}


@pytest.fixture
def grant():
    """A resource that stands for the role assignment; made inside the program that needs it."""
    return lambda: resources.ResourceGroup("grant")
