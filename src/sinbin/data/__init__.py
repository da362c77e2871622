"""Facts about Azure as data: each file says where they come from and when they were read."""
