"""Judging policies, resources and stacks before they are merged.

A document is read once (`sources`), every rule of `rules/` judges the part of it that the rule is about
(`engine`), and what is found goes through suppressions and the baseline to one of the `reporters`.
"""
