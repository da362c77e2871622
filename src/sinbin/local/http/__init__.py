"""HTTP/1.1 on asyncio: a server and a pooled client around the httptools parser.

Own code because the ready-made servers and clients cost more than everything else a local gateway does; the
measurements are in docs/adr.
"""
