"""Mentions judged at a terminal by people who do not see what the labels say (docs/annotation.md)."""
