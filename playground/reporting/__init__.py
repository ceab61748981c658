"""Reports: what the runs of one catalog came to in a period, against the period before it."""
