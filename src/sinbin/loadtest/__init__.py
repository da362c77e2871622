"""Load tests with k6: a scenario is sent to a gateway, and what came back is a result in the simulator's shape.

So a prediction and a measurement of one scenario are two rows of one table. The scripts that k6 runs are in `k6/`.
"""
