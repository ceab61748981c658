"""The lint rules, one file a question."""
