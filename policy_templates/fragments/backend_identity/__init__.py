"""Policy template: backend identity."""
