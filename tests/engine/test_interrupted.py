"""Deployments that are killed in the middle: the next one ends where an undisturbed one would have ended."""

import signal
import subprocess

import pytest

from tests.engine.local_stack import Stack, copy_project, local_azure, wait_until

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("engine")]

PROVISIONING = ("--provisioning", "0.5")
SMALL = """\
config:
  azure-native:location: uksouth
  sinbin:gateway:
    workload: chat
    apiManagement: {tier: Developer, location: uksouth, publisher: {name: Contoso, email: api@contoso.com}}
    regions: [{location: uksouth}, {location: swedencentral}]
    models:
      - alias: chat
        model: {name: gpt-4.1-mini, version: "2025-04-14"}
        deployments: [{sku: Standard, tokensPerMinute: 10000}]
      - alias: embed
        model: {name: text-embedding-3-small, version: "1"}
        deployments: [{sku: Standard, tokensPerMinute: 10000}]
    consumers: [{name: web, models: [chat, embed]}]
    monitoring: {applicationInsights: false}
"""


def small_stack(folder, azure, cli):
    stack = Stack(copy_project(folder), "small", azure, cli)
    stack.file.write_text(SMALL, "utf-8")
    stack.init()
    return stack


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, cli):
    """What is there after a deployment that nothing disturbed: ids in Azure, resources in the state."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with local_azure(folder / "azure", *PROVISIONING) as azure:
        stack = small_stack(folder / "project", azure, cli)
        stack.up()
        return sorted(azure.listing()), stack.resources()


def start_up(stack):
    return subprocess.Popen(
        stack.command("up", "--yes", "--skip-preview"),
        cwd=stack.folder,
        env=stack.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("there", [3, 14])
def test_after_a_killed_engine_the_next_up_ends_where_it_should(tmp_path, cli, undisturbed, there):
    with local_azure(tmp_path / "azure", *PROVISIONING) as azure:
        stack = small_stack(tmp_path / "project", azure, cli)
        with start_up(stack) as process:
            wait_until(lambda: azure.count() >= there, process)
            process.send_signal(signal.SIGKILL)
        assert azure.count() < len(undisturbed[0])
        stack.pulumi("cancel", "--yes")  # the killed engine holds the lock of the stack
        stack.up()
        assert (sorted(azure.listing()), stack.resources()) == undisturbed


def test_after_a_killed_control_plane_the_next_up_ends_where_it_should(tmp_path, cli, undisturbed):
    with local_azure(tmp_path / "azure", *PROVISIONING) as azure:
        stack = small_stack(tmp_path / "project", azure, cli)
        with start_up(stack) as process:
            wait_until(lambda: azure.count() >= 8, process)
            azure.kill()
            assert process.wait(timeout=120) != 0
        azure.start()
        stack.up()
        assert (sorted(azure.listing()), stack.resources()) == undisturbed
