"""The web server of the page: rules, engine and saved games over HTTP and websockets. See docs/web.md."""
