"""Who satisfies a tree: evidence of every criterion, its logic in sets and time, exact numbers at every step."""
