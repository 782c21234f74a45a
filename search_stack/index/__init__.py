"""The passages index: its fields, what it says of itself, its versions."""
