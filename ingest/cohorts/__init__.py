"""Cohorts that are kept: found, saved under a name, run anew by themselves. In the ledger's database."""
