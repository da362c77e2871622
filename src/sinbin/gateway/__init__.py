"""What API Management does with a request: no clock, no I/O; `now` and chance are passed in."""
