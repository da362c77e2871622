"""Predict a gateway: load, clients and faults on a virtual clock, driving what `gateway` and `foundry` do.

scenario (a file, a run card, a stack)
    └── run: one replication with one seed → Tally
            └── replications: many seeds, on all cores → Result (mean, low, high)
                    └── report, comparison, capacity
"""
