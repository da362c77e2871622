"""Unit tests for policies: YAML in, the gateway on a virtual clock, what differs out."""
