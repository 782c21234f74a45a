"""What is asked: the query line and what it means."""
