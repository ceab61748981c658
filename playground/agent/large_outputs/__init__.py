"""Outputs that are too large for a prompt: put into files of the run, and read there by the model part by part."""
