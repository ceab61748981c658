"""Tools and servers out again, in the forms in which they come in."""
