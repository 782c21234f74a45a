"""A cohort written out, patient by patient: what was interrupted goes on, and files are there whole or not at all."""
