"""Runs the Pulumi program of a project: in process without an engine, or with the real Pulumi CLI.

find_project(path)      where the project is, and which stacks it has
plan_stack(project, s)  what a stack would create: resources and policy texts, no engine, no cloud
get_cli(tools, tell)    the `pulumi` to run: on PATH, installed, or built from source
"""
