"""The regions of a local Azure over HTTP: what `sinbin.foundry` decides, on the wall clock and on real sockets."""
