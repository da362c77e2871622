"""Commands of `sinbin local` that are too large for one module: found by the names of the modules here."""
