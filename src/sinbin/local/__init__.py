"""A local Azure on loopback: control plane (ARM), the Pulumi provider that talks to it, and the data planes."""
