"""What a region says: one module per family of operations, plus the errors in Azure's words.

A family reads a request body into a `Call` (what to reserve, what to say) and answers it with a `Reply`. What it
does not model it refuses with an Azure-shaped 400, it never ignores it. Sampling parameters (temperature, seed
and the like) are accepted and checked; they have no effect on a text that is made up anyway.
"""
