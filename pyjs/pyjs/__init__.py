"""Translates typed Python modules to JavaScript, for the page without a server.

``python -m translate ENTRY --source src --library site/library -o FOLDER`` (with ``site`` on the path) writes the
modules that ``ENTRY`` imports. See "The page without a server" in docs/architecture.md.
"""
