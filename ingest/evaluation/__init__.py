"""Measures of what is labelled, on data that people labelled."""
