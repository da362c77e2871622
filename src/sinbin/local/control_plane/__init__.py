"""Azure Resource Manager on loopback: real paths, bodies and answers for the resource types of a gateway.

    paths       what a path names
    shapes      what a body may hold, read from the models of the official azure-mgmt packages
    judge       a body against a shape
    resource    what a resource type is; each one is a class in `resources/`, found by its name
    store       the state, in SQLite: one transaction per acknowledged write
    crud        PUT, PATCH, GET, HEAD, DELETE and lists, the same for every type
    operations  paths that are not a resource: actions, usages, deleted accounts, polling
    plane       a request to its answer, without HTTP
    server      the plane behind Starlette

What is not modelled is refused by its name, as ARM refuses it; it is never faked.
"""
