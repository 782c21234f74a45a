"""Architectures: each has a module named like it, which says all of it in its ``ARCHITECTURE``."""

NAMES = ("bi", "poly", "cross", "cdv", "long")
"""In the order of the command's help. A new one is its module and its name here; nothing here imports torch."""
