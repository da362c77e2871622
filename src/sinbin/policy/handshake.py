"""What the handshake of a WebSocket API takes no notice of."""

SKIPPED_ON_HANDSHAKE = (
    "mock-response",
    "cache-lookup",
    "cache-store",
    "cross-domain",
    "cors",
    "jsonp",
    "set-method",
    "set-body",
    "xml-to-json",
    "json-to-xml",
    "xsl-transform",
    "validate-content",
    "validate-parameters",
    "validate-headers",
    "validate-status-code",
)
"""Policies that cannot be applied to `onHandshake`; inherited from a broader scope they are skipped at run time.

Source: https://learn.microsoft.com/azure/api-management/websocket-api, read 2026-11-29.
"""
