"""Where tools come from. `tool_file` and `mcp` read a Listing, `sample` the tools that ship; the rest is what they share."""
