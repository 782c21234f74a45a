"""Offline evaluation: data sets, tasks, measures, and how rankings are compared and shown."""
