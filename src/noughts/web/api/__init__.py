"""The HTTP and websocket interface, one module per subject. See docs/web-api.md."""
