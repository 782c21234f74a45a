"""The query side and what every other package shares."""
