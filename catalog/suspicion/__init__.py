"""What a tool's definition holds that a reader should see before a model does: hidden text, orders, borrowed names."""
