"""Models beside others: as systems of the evaluation, and as sentence-transformers runs them."""
