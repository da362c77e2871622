"""The gateway of a local Azure over HTTP: what `sinbin.gateway` decides, on the wall clock and on real sockets."""
