"""The environment in which `pulumi`, our scripts and OpenAI clients work on a local Azure."""

from sinbin.local.state_dir import Running, StateDir

PASSPHRASE = "sinbin-local"  # noqa: S105  # see below
"""Of the stacks on a local Azure; no secret.

What it encrypts are keys that a local Azure made up, which open nothing but loopback and lie readable in its own
database. Pulumi writes the salt that belongs to it into the stack file, which is in git: with a constant, that
line is the same on every machine and after every `--purge`, so `stacks/Pulumi.local.yaml` holds it for good.
"""


def exports(state: StateDir, running: Running) -> dict[str, str]:
    """Return the variables by name; none is a secret: keys are asked for."""
    gateway = f"http://127.0.0.1:{running.ports['gateway']}"
    return {
        "PULUMI_DEBUG_PROVIDERS": f"azure-native:{running.ports['provider']}",
        "PULUMI_BACKEND_URL": state.backend.as_uri(),
        "PULUMI_CONFIG_PASSPHRASE": PASSPHRASE,
        "PULUMI_SKIP_UPDATE_CHECK": "1",
        "ARM_SUBSCRIPTION_ID": running.subscription,
        "ARM_TENANT_ID": running.tenant,
        "ARM_ENDPOINT": f"http://127.0.0.1:{running.ports['arm']}",
        "AZURE_OPENAI_ENDPOINT": gateway,
        "OPENAI_BASE_URL": f"{gateway}/openai/v1",
    }
