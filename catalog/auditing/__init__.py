"""The audit: recording who did what, keeping it in a chain that shows every change, looking through it, pruning it."""
