"""The console commands, one module for each concern."""
