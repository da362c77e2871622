"""Policy templates: one folder each, with its parameter model and its cases."""
