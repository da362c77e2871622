"""The Pulumi program and its configuration, one file per environment."""
