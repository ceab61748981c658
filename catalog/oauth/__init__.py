"""Signing in to MCP servers by OAuth, as the authorization part of the MCP specification has it."""
