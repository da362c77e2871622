"""Reports with pictures: one HTML file that opens from disk, loads nothing and runs no script."""
