"""Concepts, the files that hold them, and where a text mentions them."""
