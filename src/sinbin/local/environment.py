"""The environment in which `pulumi`, our scripts and OpenAI clients work on a local Azure."""

from sinbin.local.state_dir import Running, StateDir


def exports(state: StateDir, running: Running) -> dict[str, str]:
    """Return the variables by name; none is a secret: keys are asked for, the passphrase stays in its file."""
    gateway = f"http://127.0.0.1:{running.ports['gateway']}"
    return {
        "PULUMI_DEBUG_PROVIDERS": f"azure-native:{running.ports['provider']}",
        "PULUMI_BACKEND_URL": state.backend.as_uri(),
        "PULUMI_CONFIG_PASSPHRASE_FILE": str(state.passphrase_file()),
        "PULUMI_SKIP_UPDATE_CHECK": "1",
        "ARM_SUBSCRIPTION_ID": running.subscription,
        "ARM_TENANT_ID": running.tenant,
        "ARM_ENDPOINT": f"http://127.0.0.1:{running.ports['arm']}",
        "AZURE_OPENAI_ENDPOINT": gateway,
        "OPENAI_BASE_URL": f"{gateway}/openai/v1",
    }
