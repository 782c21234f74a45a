"""The work on notes that wait: claims to the broker, tasks, passages into the index, and the index built anew."""
