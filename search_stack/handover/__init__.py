"""A cohort in the formats that others read. Rows come in one by one, so that a cohort of any size fits."""
