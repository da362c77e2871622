"""Policy template: consumer."""
