"""Scripts that touch Azure: thin, and dry runs unless told otherwise."""
