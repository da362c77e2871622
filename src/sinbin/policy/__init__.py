"""The text of a policy: document tree with positions, element catalogue, effective policy, templates."""
