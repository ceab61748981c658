"""Sessions with MCP servers, opened when a call first needs one and kept warm for the next."""
