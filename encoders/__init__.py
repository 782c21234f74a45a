"""Architectures, training and export. The only package that imports torch."""
