"""One module per family of policies; a class in here registers itself with its element names."""
