"""Review of kept cohorts: where it is kept, and the evidence that reviewers see."""
