"""Policy template: inference api."""
