"""Aspectra on one machine: its command line and the stack of services below it."""
