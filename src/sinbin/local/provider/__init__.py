"""The azure-native provider of the local Azure: a gRPC server that the Pulumi engine attaches to.

    types        the resource types: token, ARM path, api-version, what forces a replacement, what is secret
    mapping      a resource's inputs to its ARM body, and an ARM answer to its outputs
    differences  two sets of inputs, property by property
    values       what travels over gRPC: unknowns and secrets
    arm          requests to the control plane: polling, waiting after a conflict
    server       the methods that the engine calls

It talks to the control plane over HTTP alone, with the paths and bodies that Azure takes.
"""
