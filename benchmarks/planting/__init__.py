"""Edits that help and edits that harm, for trying the gate."""
