"""The page of a local Azure: regions, breakers and routing as they are now, the last requests, faults to set."""
