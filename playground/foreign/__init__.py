"""Runs of other systems: their logs read into the events of runs here, with what a log does not say told as such."""
