"""Offline evaluation: data sets, measures, runs and their comparison."""
