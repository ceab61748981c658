"""Vectors of texts: who makes them, where they are kept, and what a corpus knows of its tools' meanings."""
