"""Policy template: requested model."""
