"""Readers of labelled data, a format each; their errors name file and line."""
