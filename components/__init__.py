"""Pulumi component resources: the only place, with `stacks`, that knows `pulumi_azure_native`."""
