"""Review of kept cohorts: what was decided, how reviewers agree, how precise the labels are. Pure."""
