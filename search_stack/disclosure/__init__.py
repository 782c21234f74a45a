"""What somebody may be told who must not learn of single patients: numbers in which nobody stands out, text that names
nobody."""
