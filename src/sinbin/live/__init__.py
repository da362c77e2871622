"""What is really deployed, read with the official azure-mgmt clients.

clients        a client for Azure, or for a local control plane, by its endpoint
rate_limits    the limits that Azure shows on every model deployment
"""
