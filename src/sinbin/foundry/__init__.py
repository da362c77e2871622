"""What a Foundry region does with a request: quota, latency, replies, faults; no clock, no I/O.

Every method takes `now` in seconds (any epoch, never going backwards) and chance comes from an `rng` that is
passed in, so the simulator and the local server see the same region.
"""
