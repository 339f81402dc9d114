"""The games for language models: a server of the Model Context Protocol. Needs ``pip install 'noughts[mcp]'``."""
