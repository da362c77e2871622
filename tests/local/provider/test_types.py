"""The types of the provider against the installed pulumi-azure-native."""

import importlib
import inspect
import re
import sys

import pytest
from pulumi._types import input_type_py_to_pulumi_names

from sinbin.local.provider import mapping
from sinbin.local.provider.types import PULUMI_TYPES


def _sdk(token):
    _, module, name = token.split(":")
    resource = getattr(importlib.import_module(f"pulumi_azure_native.{module}"), name)
    module = sys.modules[resource.__module__]
    # Where another type has the plain name, the SDK calls the arguments of the resource InitArgs.
    return resource, getattr(module, f"{name}InitArgs", None) or getattr(module, f"{name}Args")


@pytest.mark.parametrize("token", PULUMI_TYPES)
def test_every_input_of_the_sdk_has_a_place_in_the_arm_request(token):
    kind = PULUMI_TYPES[token]
    _, arguments = _sdk(token)
    names = set(input_type_py_to_pulumi_names(arguments).values())
    known = mapping.inputs_of(kind).keys() | set(kind.parameters) | kind.unmodelled
    assert names - known == set()
    assert set(kind.parameters) - names == set()


@pytest.mark.parametrize("token", PULUMI_TYPES)
def test_the_api_version_is_the_one_that_the_sdk_binds(token):
    resource, _ = _sdk(token)
    [bound, *_] = re.findall(r"Uses Azure REST API version ([\w-]+)\.", inspect.getsource(resource))
    assert PULUMI_TYPES[token].api_version == bound
    assert bound in PULUMI_TYPES[token].kind.api_versions
