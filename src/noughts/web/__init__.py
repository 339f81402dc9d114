"""The web page's server: rules, engine and kept games over HTTP and websockets. See docs/web.md and docs/web-api.md."""
