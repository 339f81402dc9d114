"""Boards drawn as text and as SVG."""
