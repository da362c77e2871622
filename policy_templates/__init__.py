"""Policy templates: one folder each, with its parameter model and its cases.

`render_policies` turns a topology into the policies it needs. No parameter stands inside a C# expression:
escaping for XML is the wrong escaping for C#, so values travel through `set-variable`.
"""

from policy_templates.rendered import API_ID, NamedValue, RenderedPolicy, named_values, render_policies

__all__ = ["API_ID", "NamedValue", "RenderedPolicy", "named_values", "render_policies"]
