"""Backup and restore of everything that cannot be made again."""
