"""The C# of policy expressions: parsed, checked against what API Management allows, and evaluated.

parse.py     source text → syntax tree with true positions, syntax errors with a message
syntax.py    the tree's nodes, with the grammar's slips put right
"""
